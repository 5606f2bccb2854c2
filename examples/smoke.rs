
use carrywave::engine::{simt::Simt, wavefront::{Plan,WavefrontLcs}, columns::*};
fn main(){
 let mut r=fastrand::Rng::with_seed(1);
 for (m,n,s) in [(1,1,2u8),(33,65,4),(1025,70,4),(100,2000,4),(3000,1000,20),(5000,300,200)] {
  let a:Vec<u8>=(0..m).map(|_|r.u8(..s)).collect(); let b:Vec<u8>=(0..n).map(|_|r.u8(..s)).collect();
  let d=Simt::default(); let t=std::time::Instant::now();
  for words in [1,2,3,4,5,6,8,10,12,14,16,18,20] {
  let Ok(e)=WavefrontLcs::new(&[&d],&a,&b,&|_|()).unwrap().with_plan(Plan{words,warps:2}) else {continue};
  let c=e.column(&Part{side:Side::A,range:0..m},&Part{side:Side::B,range:0..n});
  let cpu=CpuColumns{strings:[&a,&b],algorithm:CpuAlgorithm::Dp,progress:&|_|()}.column(&Part{side:Side::A,range:0..m},&Part{side:Side::B,range:0..n}).unwrap();
  match c { Ok(c)=>println!("{m} {n} {s} W{words} {} {:?}",c==cpu,t.elapsed()), Err(e)=>println!("{e}") }
  }
 }
}
