"""Compares the simulator's counts of 15 kernels with Nsight Compute's of the same launches.

    cargo build --release -p simt_examples --example costs
    target/release/examples/costs --json simulated.json
    ncu --csv --print-units base --log-file nsight.csv \\
        --metrics $(python3 simt/examples/peers/ncu_costs.py --metrics) target/release/examples/costs --ncu
    python3 simt/examples/peers/ncu_costs.py simulated.json nsight.csv

The first command that starts the program needs no GPU. `--log-file` keeps the program's own output
out of the CSV. Without it, lines before the heading are skipped.

The table has a row for each kernel and count: the simulator's number, the sum of the metrics, and
their difference in percent. It ends with the largest difference of each count. Counts in brackets
need not be equal: caches serve a part of them, or the GPU counts something else.

Python 3.8 or later, no packages. `python3 -m doctest simt/examples/peers/ncu_costs.py` tests it.
"""

import csv
import io
import json
import sys

# The name of a count in the simulator's file; the metrics that add up to it; and whether both must
# agree.
COUNTS = [
    # Wavefronts of shared memory. The metrics of instructions (smsp__sass_…) count loads and stores
    # alone; those of the pipe (l1tex__data_pipe_…) also count other users of it.
    ("shared_load_wavefronts", ["smsp__sass_l1tex_data_pipe_lsu_wavefronts_mem_shared_op_ld.sum"], True),
    ("shared_store_wavefronts", ["smsp__sass_l1tex_data_pipe_lsu_wavefronts_mem_shared_op_st.sum"], True),
    ("shared_atomic_wavefronts", ["l1tex__data_pipe_lsu_wavefronts_mem_shared_op_atom.sum"], True),
    ("shared_atomic_instructions", ["smsp__inst_executed_op_shared_atom.sum"], True),
    # Sectors of global memory in the L1 cache. An atomic operation whose result is unused is a
    # reduction (red), else an atom.
    ("global_load_sectors", ["l1tex__t_sectors_pipe_lsu_mem_global_op_ld.sum"], True),
    ("global_store_sectors", ["l1tex__t_sectors_pipe_lsu_mem_global_op_st.sum"], True),
    (
        "global_atomic_sectors",
        ["l1tex__t_sectors_pipe_lsu_mem_global_op_atom.sum", "l1tex__t_sectors_pipe_lsu_mem_global_op_red.sum"],
        True,
    ),
    (
        "global_atomic_instructions",
        ["l1tex__t_requests_pipe_lsu_mem_global_op_atom.sum", "l1tex__t_requests_pipe_lsu_mem_global_op_red.sum"],
        True,
    ),
    # Turns of atomic operations: L2 counts a sector for each part of a warp's operation.
    ("global_atomic_turns", ["lts__t_sectors_op_atom.sum", "lts__t_sectors_op_red.sum"], False),
    # What blocks load, each sector once a block: L1 holds less than all of it, or more than one block's.
    ("block_load_sectors", ["lts__t_sectors_srcunit_tex_op_read.sum"], False),
    # What the launch touches, each sector once: with L2 empty before, and large enough.
    ("launch_load_sectors", ["dram__sectors_read.sum"], False),
    ("launch_store_sectors", ["dram__sectors_write.sum"], False),
    ("registers", ["launch__registers_per_thread"], False),
]

# Metrics that the table shows for each kernel, without a count of the simulator.
SHOWN = [
    "gpu__time_duration.sum",
    "sm__warps_active.avg.pct_of_peak_sustained_active",
    "smsp__thread_inst_executed_per_inst_executed.ratio",
    "smsp__inst_executed.sum",
]


def all_metrics():
    """Returns the metrics for `ncu --metrics`, without repeats.

    >>> len(all_metrics()) == len(set(all_metrics()))
    True
    """
    counted = [metric for _, metrics, _ in COUNTS for metric in metrics]
    return list(dict.fromkeys(counted + SHOWN))


def launches(text):
    """Returns the metrics of each kernel's first launch in the output of `ncu --csv`.

    >>> text = '''==PROF== Connected
    ... "ID","Kernel Name","Metric Name","Metric Unit","Metric Value"
    ... "0","saxpy(float)","lts__t_sectors_op_red.sum","sector","1,024"
    ... "1","saxpy(float)","lts__t_sectors_op_red.sum","sector","7"
    ... "0","saxpy(float)","gpu__time_duration.sum","nsecond","2.5"
    ... '''
    >>> launches(text)
    {'saxpy': {'lts__t_sectors_op_red.sum': 1024.0, 'gpu__time_duration.sum': 2.5}}
    >>> launches("no table")
    Traceback (most recent call last):
    ValueError: no line has the headings ID, Kernel Name, Metric Name, Metric Value
    """
    needed = ["ID", "Kernel Name", "Metric Name", "Metric Value"]
    rows = csv.reader(io.StringIO(text))
    heading = next((row for row in rows if all(name in row for name in needed)), None)
    if heading is None:
        raise ValueError("no line has the headings " + ", ".join(needed))
    places = [heading.index(name) for name in needed]
    found, first = {}, {}
    for row in rows:
        if len(row) != len(heading):
            continue
        number, kernel, metric, value = (row[place] for place in places)
        kernel = kernel.split("(")[0].strip()
        if first.setdefault(kernel, number) != number:
            continue
        try:
            found.setdefault(kernel, {})[metric] = float(value.replace(",", ""))
        except ValueError:
            pass  # "n/a": the GPU has no such counter.
    return found


def difference(simulated, counted):
    """Returns the difference in percent of the GPU's count.

    >>> difference(110, 100), difference(0, 0), difference(5, 0)
    (10.0, 0.0, inf)
    """
    if simulated == counted:
        return 0.0
    return 100.0 * (simulated - counted) / counted if counted else float("inf")


def compare(simulated, counted):
    """Returns the lines of the table.

    >>> simulated = {"kernels": {"k": {"global_load_sectors": 102, "shared_load_wavefronts": 3}}}
    >>> counted = {"k": {"l1tex__t_sectors_pipe_lsu_mem_global_op_ld.sum": 100.0, "gpu__time_duration.sum": 2000.0}}
    >>> for line in compare(simulated, counted):
    ...     print(line.rstrip())
    kernel             count                        simulator        GPU  difference
    k                  global_load_sectors                102        100       2.0 %
    k                  gpu__time_duration.sum                       2000
    <BLANKLINE>
    largest difference of global_load_sectors: 2.0 %
    """
    lines = ["%-18s %-26s %11s %10s  %10s" % ("kernel", "count", "simulator", "GPU", "difference")]
    largest = {}
    for kernel, counts in simulated["kernels"].items():
        metrics = counted.get(kernel)
        if metrics is None:
            lines.append("%-18s not in Nsight Compute's output" % kernel)
            continue
        for name, parts, agree in COUNTS:
            known = [metrics[part] for part in parts if part in metrics]
            if name not in counts or not known:
                continue
            off = difference(counts[name], sum(known))
            label = name if agree else "(%s)" % name
            lines.append("%-18s %-26s %11d %10d  %8.1f %%" % (kernel, label, counts[name], sum(known), off))
            if agree:
                largest[name] = max(largest.get(name, 0.0), abs(off))
        for metric in SHOWN:
            if metric in metrics:
                lines.append("%-18s %-37s  %10s" % (kernel, metric, "%.6g" % metrics[metric]))
    lines.append("")
    lines.extend("largest difference of %s: %.1f %%" % item for item in largest.items())
    return lines


def main(arguments):
    if arguments == ["--metrics"]:
        print(",".join(all_metrics()))
    elif len(arguments) == 2:
        with open(arguments[0], encoding="utf-8") as file:
            simulated = json.load(file)
        with open(arguments[1], encoding="utf-8") as file:
            counted = launches(file.read())
        print("\n".join(compare(simulated, counted)))
    else:
        sys.exit(__doc__)


if __name__ == "__main__":
    main(sys.argv[1:])
