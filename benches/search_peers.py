"""Times whole programs that search files: carrywave, ripgrep, ugrep -Z and tre-agrep.

Each program uses one thread, and the programs run in turns.

    apt-get install ripgrep ugrep tre-agrep
    cargo build --release
    python benches/search_peers.py target/release/carrywave --text ENGLISH 'multitude of men' --text FOLDER 'fn main'

Each text is searched for its patterns, without errors and with 1 to 3 errors. A program writes the
matching lines with their numbers to a file, as it does for a person. A row has each program's
median, least and greatest seconds over the rounds, and its number of lines. ripgrep allows no
errors, so it is only in the first row of a pattern, and its lines must equal carrywave's. ugrep
matches the first character of a pattern exactly, and tre-agrep counts errors as carrywave does.
tre-agrep is slow, so it gets only the first --slow bytes of the file, and its seconds are scaled to
the whole file.
"""

import argparse
import os
import statistics
import subprocess
import tempfile
import time


class Tool:
    def __init__(self, name, command, folder, errors, is_slow=False):
        self.name, self.command, self.folder, self.errors, self.is_slow = name, command, folder, errors, is_slow

    def words(self, k, pattern, path, is_folder):
        options = list(self.folder) if is_folder else []
        return self.command + options + self.errors(k) + ["-e", pattern, path]


def tools(program):
    return [
        Tool("carrywave", [program, "search", "--threads", "1", "-n"], ["-r"], lambda k: ["-k", str(k)]),
        Tool("ripgrep", ["rg", "-j1", "-F", "-n", "--no-heading"], [], lambda k: None if k else []),
        Tool("ugrep", ["ugrep", "-J1", "-n"], ["-r", "--ignore-files"], lambda k: [f"-Z{k}"] if k else ["-F"]),
        Tool("tre-agrep", ["tre-agrep", "-n"], None, lambda k: [f"-{k}"], True),
    ]


def run(words, output):
    """Returns seconds, processor seconds and lines; exits if the program fails."""
    with open(output, "wb") as target:
        before = os.times()
        started = time.perf_counter()
        status = subprocess.run(words, stdout=target, stderr=subprocess.DEVNULL, stdin=subprocess.DEVNULL).returncode
        seconds = time.perf_counter() - started
        after = os.times()
    used = after.children_user + after.children_system - before.children_user - before.children_system
    if status > 1:
        raise SystemExit(f"{' '.join(words)}: exit code {status}")
    with open(output, "rb") as found:
        return seconds, used, found.read()


def size(path):
    if not os.path.isdir(path):
        return os.path.getsize(path)
    return sum(os.path.getsize(os.path.join(at, name)) for at, _, names in os.walk(path) for name in names)


def cut(path, part, folder):
    """Copies the first bytes of a file, up to a line end, to `folder`, and returns the path."""
    with open(path, "rb") as file:
        text = file.read(part)
    target = os.path.join(folder, "part")
    with open(target, "wb") as file:
        file.write(text[: text.rfind(b"\n") + 1])
    return target


def compare(options, path, pattern, scratch):
    is_folder = os.path.isdir(path)
    bytes_of_all = size(path)
    output = os.path.join(scratch, "output")
    for k in range(options.errors + 1):
        rows = []
        for tool in tools(options.program):
            errors = tool.errors(k)
            if errors is None or is_folder and tool.folder is None or tool.name in options.leave_out:
                continue
            is_part = tool.is_slow and not is_folder and options.slow < bytes_of_all
            rows.append((tool, cut(path, options.slow, scratch) if is_part else path, []))
        for _ in range(options.rounds):
            for tool, own, runs in rows:
                if not tool.is_slow or len(runs) < options.slow_rounds:
                    runs.append(run(tool.words(k, pattern, own, is_folder), output))
        lines = {}
        for tool, own, runs in rows:
            scale = bytes_of_all / size(own)
            seconds = sorted(run[0] * scale for run in runs)
            used = statistics.median(run[1] * scale for run in runs)
            lines[tool.name] = sorted(runs[0][2].splitlines())
            found = len(lines[tool.name])
            part = "" if own == path else f" of the first {size(own) / 1e6:.0f} MB, scaled"
            print(
                f"{os.path.basename(path):>12} {pattern!r:>24} k={k} {tool.name:>10}: {statistics.median(seconds):8.3f} s "
                f"({seconds[0]:.3f} to {seconds[-1]:.3f}), {used:8.3f} s of the processor, {bytes_of_all / 1e9 / statistics.median(seconds):6.3f} GB/s, {found} lines{part}",
                flush=True,
            )
        if k == 0 and "ripgrep" in lines and lines["ripgrep"] != lines["carrywave"]:
            raise SystemExit("ripgrep finds other lines")


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("program")
    parser.add_argument("--text", nargs=2, action="append", required=True, metavar=("PATH", "PATTERN"), help="a file or a folder, and what to look for")
    parser.add_argument("--errors", type=int, default=3)
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--slow-rounds", type=int, default=1)
    parser.add_argument("--slow", type=int, default=100_000_000, metavar="BYTES")
    parser.add_argument("--leave-out", action="append", default=[], metavar="TOOL")
    options = parser.parse_args()
    os.sched_setaffinity(0, {min(os.sched_getaffinity(0))})
    with tempfile.TemporaryDirectory(dir="/dev/shm" if os.path.isdir("/dev/shm") else None) as scratch:
        for path, pattern in options.text:
            compare(options, path, pattern, scratch)


if __name__ == "__main__":
    main()
