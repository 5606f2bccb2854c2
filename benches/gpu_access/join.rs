//! Joins the counts of the simulator with those of Nsight Compute, in the order of launches.

use serde_json::{Value, json};
use std::collections::{BTreeMap, BTreeSet};

/// The counts: the part of the results, the count's name there, its key in the simulator's file,
/// and the Nsight metrics that add up to it. Units are wavefronts of shared memory and sectors of
/// global memory.
const COUNTS: [(&str, &str, &str, &[&str]); 5] = [
    ("shared memory", "loads", "shared_loads", &["l1tex__data_pipe_lsu_wavefronts_mem_shared_op_ld.sum"]),
    ("shared memory", "stores", "shared_stores", &["l1tex__data_pipe_lsu_wavefronts_mem_shared_op_st.sum"]),
    ("global memory", "loads", "global_loads", &["l1tex__t_sectors_pipe_lsu_mem_global_op_ld.sum"]),
    ("global memory", "stores", "global_stores", &["l1tex__t_sectors_pipe_lsu_mem_global_op_st.sum"]),
    (
        "global memory",
        "atomics",
        "global_atomics",
        &["l1tex__t_sectors_pipe_lsu_mem_global_op_red.sum", "l1tex__t_sectors_pipe_lsu_mem_global_op_atom.sum"],
    ),
];

/// A launch as Nsight Compute reports it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Launch {
    /// Name of the kernel, without parameters.
    pub kernel: String,
    /// Values by the names of the metrics.
    pub metrics: BTreeMap<String, u64>,
}

/// Returns a string, or the empty string for any other value.
pub fn text(value: &Value) -> &str {
    value.as_str().unwrap_or_default()
}

/// Returns the fields of a line. A field in quotes may contain commas, and doubled quotes.
fn fields(line: &str) -> Vec<String> {
    let mut fields = vec![String::new()];
    let mut quoted = false;
    let mut symbols = line.trim_end().chars().peekable();
    while let Some(symbol) = symbols.next() {
        let field = fields.last_mut().expect("one at least");
        match symbol {
            '"' if quoted && symbols.next_if_eq(&'"').is_some() => field.push('"'),
            '"' => quoted = !quoted,
            ',' if !quoted => fields.push(String::new()),
            _ => field.push(symbol),
        }
    }
    fields
}

/// Returns the launches in the output of `ncu --csv`, in order. Anything may precede the heading,
/// such as the program's own output.
pub fn launches(csv: &str) -> Result<Vec<Launch>, String> {
    const HEADINGS: [&str; 4] = ["ID", "Kernel Name", "Metric Name", "Metric Value"];
    let mut lines = csv.lines().map(fields);
    let places = lines.by_ref().find_map(|heading| {
        let places = HEADINGS.map(|name| heading.iter().position(|field| field == name));
        places.iter().all(Option::is_some).then(|| (places.map(Option::unwrap_or_default), heading.len()))
    });
    let (places, columns) = places.ok_or(format!("no line with the headings {HEADINGS:?}: was it `ncu --csv`?"))?;
    let mut launches = Vec::<Launch>::new();
    let mut last = None;
    for line in lines.filter(|line| line.len() == columns) {
        let [id, kernel, metric, value] = places.map(|place| line[place].trim().to_owned());
        if last.as_ref() != Some(&id) {
            let kernel = kernel.split('(').next().unwrap_or_default().to_owned();
            launches.push(Launch { kernel, metrics: BTreeMap::new() });
        }
        // Thousands may be separated by commas, and a sum may end in a fraction of zeros.
        let number: Result<f64, _> = value.replace(',', "").parse();
        let number = number.map_err(|_| format!("launch {id}: {metric} is {value}, which is no number"))?;
        launches.last_mut().expect("one at least").metrics.insert(metric, number as u64);
        last = Some(id);
    }
    Ok(launches)
}

/// Returns a row of results for each case, kernel and count that is not 0 on both sides.
pub fn rows(simulated: &Value, counted: &[Launch]) -> Result<Vec<Value>, String> {
    let list = |value: &Value| value.as_array().cloned().unwrap_or_default();
    let cases = list(&simulated["cases"]);
    let known: BTreeSet<String> =
        cases.iter().flat_map(|case| list(&case["kernels"])).map(|kernel| text(&kernel["kernel"]).to_owned()).collect();
    // Other launches are the driver's.
    let mut rest: Vec<&Launch> = counted.iter().filter(|launch| known.contains(&launch.kernel)).collect();
    let mut rows = Vec::new();
    for case in &cases {
        let kernels = list(&case["kernels"]);
        let launches: u64 = kernels.iter().filter_map(|kernel| kernel["launches"].as_u64()).sum();
        let of_case: Vec<&Launch> = rest.drain(..rest.len().min(launches as usize)).collect();
        for kernel in &kernels {
            let name = text(&kernel["kernel"]);
            let place = text(&case["case"]);
            let of_kernel: Vec<_> = of_case.iter().filter(|launch| launch.kernel == name).collect();
            if Some(of_kernel.len() as u64) != kernel["launches"].as_u64() {
                let here = &kernel["launches"];
                let there = of_kernel.len();
                return Err(format!(
                    "{place}: {name} has {here} launches on the simulator and {there} in Nsight's file"
                ));
            }
            for (part, access, key, metrics) in COUNTS {
                let mut count = 0;
                for (launch, metric) in of_kernel.iter().flat_map(|launch| metrics.iter().map(move |m| (launch, m))) {
                    count += launch.metrics.get(*metric).ok_or(format!("{place}: {name} has no {metric}"))?;
                }
                let of_simulator = kernel[key].as_u64().ok_or(format!("{place}: {name} has no {key}"))?;
                if count == 0 && of_simulator == 0 {
                    continue;
                }
                let difference = 100.0 * (of_simulator as f64 - count as f64) / count.max(1) as f64;
                rows.push(json!({
                    "part": part, "name": format!("{place}: {access}"), "engine": name, "m": case["m"], "n": case["n"],
                    "more": { "simulated": of_simulator, "counted": count, "difference_percent": difference },
                }));
            }
        }
    }
    if !rest.is_empty() {
        return Err(format!("{} launches more in Nsight's file than on the simulator", rest.len()));
    }
    // By part, since each part has a table.
    rows.sort_by_key(|row| text(&row["part"]) != "shared memory");
    Ok(rows)
}
