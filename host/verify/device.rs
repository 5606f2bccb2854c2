//! Checks the device layer function by function, and sums across a warp.

use super::{Check, Checker};
use crate::device::Device;
use crate::error::Result;
use carrywave_kernels::collectives::add::{ConditionalSum, LookAhead, WarpAdd};
use carrywave_kernels::measure::device_test::{self, DeviceTest};
use carrywave_kernels::measure::sums::Sums;
use simt_std::Kernel;
use std::marker::PhantomData;

/// Number of sums that are checked at a time.
const SUMS: usize = 512;

impl Checker<'_> {
    /// Checks the device layer, and the sums of a warp.
    pub(super) fn on_device<D: Device>(&self, device: &D, checks: &mut Vec<Check>) -> Result<()> {
        let stream = device.stream()?;
        let len = (device_test::ROWS * device_test::THREADS) as usize;
        let rows = device.alloc::<u32>(len, "rows")?;
        let mut atomics = device.alloc::<u32>(device_test::ATOMICS_BEFORE.len(), "atomics")?;
        device.upload(&stream, &mut atomics, &device_test::ATOMICS_BEFORE)?;
        let mut wide = device.alloc::<u64>(device_test::THREADS as usize, "wide")?;
        device.zero(&stream, &mut wide)?;
        let kernel =
            DeviceTest { rows: device.handle(&rows), atomics: device.handle(&atomics), wide: device.handle(&wide) };
        // SAFETY: one block, and all arrays have their full length.
        unsafe { device.launch(&stream, 1, kernel)? };
        let (found, expected) = (device.download(&stream, &rows, len)?, device_test::expected());
        if let Some(i) = expected.iter().zip(&found).position(|(want, got)| want != got) {
            let (row, thread) = (i / device_test::THREADS as usize, i % device_test::THREADS as usize);
            return Err(self.wrong(format!(
                "device layer: row {row}, thread {thread} is {:#x}, not {:#x}",
                found[i], expected[i]
            )));
        }
        let winners: u32 = found[expected.len()..].iter().sum();
        let after = device.download(&stream, &atomics, device_test::ATOMICS_AFTER.len())?;
        if winners != 1 || after != device_test::ATOMICS_AFTER {
            return Err(self.wrong(format!("device layer: the atomics are {after:x?}")));
        }
        checks.push(self.check("device layer", u64::from(device_test::ROWS), 0));
        self.sums::<D, ConditionalSum>(device, &stream)?;
        self.sums::<D, LookAhead>(device, &stream)?;
        checks.push(self.check("sums across a warp", 2 * SUMS as u64, 0));
        Ok(())
    }

    fn sums<D: Device, A: WarpAdd>(&self, device: &D, stream: &D::Stream) -> Result<()>
    where
        Sums<A>: Kernel,
    {
        let mut random = fastrand::Rng::with_seed(self.options.seed);
        // Words that propagate, generate, stop or start a carry are likely.
        let a: Vec<u32> = (0..SUMS * 32).map(|_| random.u32(..)).collect();
        let b: Vec<u32> = a
            .iter()
            .map(
                |&a| if random.u8(..) < 20 { random.u32(..) } else { (!a).wrapping_add(u32::from(random.u8(..) < 16)) },
            )
            .collect();
        let carry_in: Vec<u32> = (0..SUMS).map(|_| random.u32(..2)).collect();
        let upload = |data: &[u32], name| -> Result<D::Buffer<u32>> {
            let mut buffer = device.alloc(data.len(), name)?;
            device.upload(stream, &mut buffer, data)?;
            Ok(buffer)
        };
        let (a_buffer, b_buffer, in_buffer) = (upload(&a, "a")?, upload(&b, "b")?, upload(&carry_in, "carry in")?);
        let (sum, carry_out) = (device.alloc::<u32>(SUMS * 32, "sum")?, device.alloc::<u32>(SUMS, "carry out")?);
        let kernel = Sums::<A> {
            a: device.handle(&a_buffer),
            b: device.handle(&b_buffer),
            carry_in: device.handle(&in_buffer),
            sum: device.handle(&sum),
            carry_out: device.handle(&carry_out),
            add: PhantomData,
        };
        // SAFETY: one block per sum, and every array has the length of all sums.
        unsafe { device.launch(stream, SUMS as u32, kernel)? };
        let (sum, carry_out) = (device.download(stream, &sum, SUMS * 32)?, device.download(stream, &carry_out, SUMS)?);
        for number in 0..SUMS {
            let mut carry = carry_in[number] != 0;
            for i in number * 32..number * 32 + 32 {
                let (half, c0) = a[i].overflowing_add(b[i]);
                let (word, c1) = half.overflowing_add(carry.into());
                carry = c0 || c1;
                if sum[i] != word {
                    return Err(self.wrong(format!("sum {number}, word {}: {:#x}, not {word:#x}", i % 32, sum[i])));
                }
            }
            if (carry_out[number] != 0) != carry {
                return Err(self.wrong(format!("sum {number}: carry out {}", carry_out[number])));
            }
        }
        Ok(())
    }
}
