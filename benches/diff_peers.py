"""Times diffs of real packages by carrywave, GNU diff, git and imara-diff, in turns.

    apt-get install diffutils git patch dpkg xz-utils
    cargo build --release
    cargo build --release --manifest-path benches/diff_peers/Cargo.toml
    python3 benches/diff_peers.py target/release/carrywave

The inputs are ten pairs of two versions, from crates.io (by `cargo vendor`) and Debian (by `apt-get
download` and `apt-get indextargets`, so only on Debian), and a pair of unrelated files. The
versions of crates are those below. Debian's kernel is in the oldest and the newest version that apt
offers, and the second list of packages is that of the suite after this machine's. Downloads stay in
--data and are reused.

Each tool writes a unified diff of the pair to a file in memory; each round runs all tools one after
the other. A row has the median, the least and the greatest seconds, the processor seconds (user
mode and system), and the peak of resident memory, as the system reports it. The first round also
counts the lines that the script deletes and inserts, and checks that `patch` turns A into B with
carrywave's diff. A tool that takes more processor seconds than --limit is killed and skips the rest
of the pair. With --output FILE the raw result goes to FILE; `cargo xtask results` makes a table of
it.
"""

import argparse
import datetime
import filecmp
import json
import os
import platform
import re
import shutil
import statistics
import subprocess
import tempfile
import time

CRATES = {
    "serde": ("1.0.200", "1.0.210"),
    "tokio": ("1.37.0", "1.38.0"),
    "regex-automata": ("0.4.6", "0.4.7"),
    "web-sys": ("0.3.69", "0.3.70"),
    "windows-sys": ("0.52.0", "0.59.0"),
    "libsqlite3-sys": ("0.28.0", "0.30.1"),
}
LINES_OF_FILE = 10_000_000
LINES_OF_UNRELATED = 1_000_000
NEXT_SUITE = {"bullseye": "bookworm", "bookworm": "trixie", "trixie": "forky"}

OURS, OURS_ALONE = "carrywave", "carrywave, 1 thread"
GIT = ["git", "diff", "--no-index", "--no-ext-diff", "--no-color", "--no-renames"]


def tools(program, peers):
    return {
        OURS: [program, "--threads", "2", "diff", "-ruN"],
        OURS_ALONE: [program, "--threads", "1", "diff", "-ruN"],
        "GNU diff": ["diff", "-ruN"],
        "GNU diff -d": ["diff", "-ruNd"],
        "git": GIT,
        "git --minimal": GIT + ["--minimal"],
        "git --patience": GIT + ["--patience"],
        "git --histogram": GIT + ["--histogram"],
        "imara-diff Myers": [peers, "diff", "myers"],
        "imara-diff minimal": [peers, "diff", "minimal"],
        "imara-diff histogram": [peers, "diff", "histogram"],
    }


def call(words, **options):
    return subprocess.run(words, check=True, stdout=subprocess.PIPE, text=True, **options).stdout


# Pairs


def crate(data, name, version):
    """Returns the folder of a crate's sources."""
    folder = os.path.join(data, f"{name}-{version}")
    sources = os.path.join(folder, "vendor", f"{name}-{version}")
    if not os.path.isdir(sources):
        os.makedirs(os.path.join(folder, "src"), exist_ok=True)
        with open(os.path.join(folder, "Cargo.toml"), "w") as file:
            file.write('[package]\nname = "pair"\nversion = "0.0.0"\nedition = "2021"\n\n[workspace]\n\n[dependencies]\n')
            file.write(f'{name} = {{ version = "={version}", default-features = false }}\n')
        open(os.path.join(folder, "src", "lib.rs"), "w").close()
        call(["cargo", "vendor", "--quiet", "--versioned-dirs", "vendor"], cwd=folder)
    return sources


def kernels(data):
    """Returns name, source folder and changelog of the oldest and the newest Debian kernel source
    package that apt offers.
    """
    dependencies = call(["apt-cache", "depends", "linux-source"])
    package = re.search(r"linux-source-[0-9.]+", dependencies).group()
    offered = [line.split("|")[1].strip() for line in call(["apt-cache", "madison", package]).splitlines()]
    # Reuses earlier downloads, even if apt offers other versions.
    had = [name[len(package) + 1 :] for name in os.listdir(data) if name.startswith(package + "_")]
    if sum(os.path.exists(os.path.join(data, f"{package}_{version}", "done")) for version in had) == 2:
        offered = sorted(had, reverse=True)
    both = []
    for version in (offered[-1], offered[0]):
        folder = os.path.join(data, f"{package}_{version}")
        if not os.path.exists(os.path.join(folder, "done")):
            os.makedirs(folder, exist_ok=True)
            call(["apt-get", "download", f"{package}={version}"], cwd=folder)
            archive = next(name for name in os.listdir(folder) if name.endswith(".deb"))
            call(["dpkg-deb", "-x", archive, "package"], cwd=folder)
            os.makedirs(os.path.join(folder, "linux"), exist_ok=True)
            call(["tar", "-xJf", f"package/usr/src/{package}.tar.xz", "-C", "linux", "--strip-components=1"], cwd=folder)
            with open(os.path.join(folder, "changelog"), "w") as file:
                subprocess.run(["zcat", f"package/usr/share/doc/{package}/changelog.Debian.gz"], cwd=folder, check=True, stdout=file)
            os.remove(os.path.join(folder, archive))
            shutil.rmtree(os.path.join(folder, "package"))
            open(os.path.join(folder, "done"), "w").close()
        both.append((f"{package} {version}", os.path.join(folder, "linux"), os.path.join(folder, "changelog")))
    return both


def packages(data):
    """Returns names and files of the package lists of this machine's suite and the next one."""
    target = call(["apt-get", "indextargets", "--format", "$(REPO_URI) $(CODENAME) $(COMPONENT)", "Created-By: Packages"])
    rows = [line.split() for line in target.splitlines()]
    site, suite, _ = next(row for row in rows if len(row) == 3 and row[1] in NEXT_SUITE and row[2] == "main")
    both = []
    for name in (suite, NEXT_SUITE[suite]):
        path = os.path.join(data, f"Packages-{name}")
        if not os.path.exists(path):
            with tempfile.TemporaryDirectory() as folder:
                os.chmod(folder, 0o755)
                for part in ("lists/partial", "cache/archives/partial"):
                    os.makedirs(os.path.join(folder, part))
                with open(os.path.join(folder, "sources.list"), "w") as file:
                    file.write(f"deb {site} {name} main\n")
                own = ["-o", f"Dir::State::Lists={folder}/lists", "-o", f"Dir::Cache={folder}/cache"]
                own += ["-o", f"Dir::Etc::SourceList={folder}/sources.list", "-o", "Dir::Etc::SourceParts=-"]
                call(["apt-get", *own, "update"])
                files = call(["apt-get", *own, "indextargets", "--format", "$(FILENAME)", "Created-By: Packages"])
                with open(path + ".part", "wb") as file:
                    subprocess.run(["/usr/lib/apt/apt-helper", "cat-file", *files.split()], check=True, stdout=file)
            os.rename(path + ".part", path)
        both.append((f"Packages of {name}", path))
    return both


def sources(folder, lines, target, suffix=".c"):
    """Concatenates a folder's sources to a file of at least `lines` lines, or all of them."""
    if os.path.exists(target):
        return target
    count = 0
    with open(target + ".part", "wb") as out:
        for at, folders, names in os.walk(folder):
            folders.sort()
            for name in sorted(names):
                if name.endswith(suffix) and count < lines:
                    with open(os.path.join(at, name), "rb") as file:
                        text = file.read()
                    count += text.count(b"\n")
                    out.write(text)
    os.rename(target + ".part", target)
    return target


def pairs(data, is_wanted):
    """Yields name, both versions and both paths of each wanted pair. Fetches nothing for others."""
    for name, versions in CRATES.items():
        title = "sqlite3.c of libsqlite3-sys" if name == "libsqlite3-sys" else f"{name}, a folder"
        if is_wanted(title):
            both = [crate(data, name, version) for version in versions]
            if name == "libsqlite3-sys":
                both = [os.path.join(path, "sqlite3", "sqlite3.c") for path in both]
            yield title, versions, both
    if is_wanted("lists of packages"):
        lists = packages(data)
        yield "lists of packages", [name for name, _ in lists], [path for _, path in lists]
    changelog, net, unrelated = (
        "changelog of the kernel",
        "drivers/net of the kernel, a folder",
        "unrelated: fs and sound of the kernel",
    )
    drivers = f"drivers of the kernel, a file of {LINES_OF_FILE} lines"
    if not any(map(is_wanted, (changelog, net, drivers, unrelated))):
        return
    debian = kernels(data)
    versions = [name for name, _, _ in debian]
    if is_wanted(changelog):
        yield changelog, versions, [log for _, _, log in debian]
    if is_wanted(net):
        yield net, versions, [os.path.join(linux, "drivers", "net") for _, linux, _ in debian]
    if is_wanted(drivers):
        joined = [sources(os.path.join(linux, "drivers"), LINES_OF_FILE, linux + ".c") for _, linux, _ in debian]
        yield drivers, versions, joined
    if is_wanted(unrelated):
        linux = debian[0][1]
        both = [sources(os.path.join(linux, part), LINES_OF_UNRELATED, f"{linux}-{part}.c") for part in ("fs", "sound")]
        yield unrelated, [versions[0]] * 2, both


# Runs


def files_of(path):
    if not os.path.isdir(path):
        return [path]
    return [os.path.join(at, name) for at, _, names in os.walk(path) for name in names]


def size(path):
    """Returns the numbers of files, lines and bytes."""
    files = files_of(path)
    lines = bytes_of_all = 0
    for name in files:
        with open(name, "rb") as file:
            while text := file.read(1 << 16):
                lines += text.count(b"\n")
                bytes_of_all += len(text)
    return len(files), lines, bytes_of_all


def lay(paths, folder):
    """Links the files of both sides into a folder, as `a` and `b`."""
    for side, path in zip("ab", paths):
        target = os.path.join(folder, side)
        if os.path.isdir(path):
            shutil.copytree(path, target, copy_function=os.link, symlinks=False)
        else:
            os.link(path, target)


def is_patched(folder, patch):
    """Returns true if `patch` turns A into B."""
    a, b, copy = (os.path.join(folder, name) for name in ("a", "b", "patched"))
    words = ["patch", "--silent", "--fuzz=0", "--force", "--remove-empty-files", "-i", patch]
    if os.path.isdir(a):
        shutil.copytree(a, copy)
        done = subprocess.run(words + ["-p1", "-d", copy], stdout=subprocess.DEVNULL).returncode == 0
        same = subprocess.run(["diff", "-rqN", copy, b], stdout=subprocess.DEVNULL).returncode == 0
        shutil.rmtree(copy)
    else:
        done = subprocess.run(words + ["-o", copy, a], stdout=subprocess.DEVNULL).returncode == 0
        same = done and filecmp.cmp(copy, b, shallow=False)
        os.remove(copy)
    return done and same


class Runs:
    """Runs of a tool on a pair."""

    def __init__(self, words):
        self.words, self.seconds, self.used, self.peak, self.script, self.is_ended = words, [], [], 0, None, False

    def median(self):
        return statistics.median(self.seconds)


def run(peers, runs, folder, output, limit):
    measured = call([peers, "measure", str(limit), output, *runs.words, "a", "b"], cwd=folder).split()
    code, (wall, user, system), peak = int(measured[0]), map(float, measured[1:4]), int(measured[4])
    runs.seconds.append(wall)
    runs.used.append(user + system)
    runs.peak = max(runs.peak, peak * 1024)
    if code not in (0, 1):
        runs.is_ended = True
        if user + system < 0.9 * limit:
            raise SystemExit(f"{' '.join(runs.words)}: exit code {code}")
    elif runs.script is None:
        with open(output, "rb") as patch:
            deleted, inserted, binary = map(int, call([peers, "count"], stdin=patch).split())
        runs.script = deleted + inserted
        runs.binary = binary


def compare(options, name, versions, paths, scratch):
    folder = tempfile.mkdtemp(dir=options.data)
    output = os.path.join(scratch, "output")
    everything = {tool: Runs(words) for tool, words in tools(os.path.abspath(options.program), options.peers).items()}
    is_unrelated = name.startswith("unrelated")
    try:
        lay(paths, folder)
        (files, lines_a, bytes_a), (_, lines_b, bytes_b) = map(size, paths)
        is_checked, began = False, time.monotonic()
        for round_number in range(options.rounds):
            spent = time.monotonic() - began
            if round_number >= options.least_rounds and spent * (round_number + 1) / round_number > options.seconds:
                break
            for tool, runs in everything.items():
                if runs.is_ended:
                    continue
                if is_unrelated and round_number and not tool.startswith(OURS):
                    continue
                run(options.peers, runs, folder, output, options.limit * (2 if tool == OURS else 1))
                if tool == OURS and not is_checked and not runs.is_ended:
                    is_checked = is_patched(folder, output)
                    if not is_checked:
                        raise SystemExit(f"{name}: patch does not make B of A")
    finally:
        shutil.rmtree(folder)
    ours = everything[OURS]
    fastest = min(runs.median() for tool, runs in everything.items() if not runs.is_ended and not tool.startswith(OURS))
    rows = []
    for tool, runs in everything.items():
        script = "ended" if runs.is_ended else runs.script
        seconds = sorted(runs.seconds)
        more = {
            "processor_s": statistics.median(runs.used),
            "peak_MB": round(runs.peak / 1e6, 1),
            "script": script,
            "runs": len(runs.seconds),
            "of_the_fastest_other": None if runs.is_ended else round(runs.median() / fastest, 2),
        }
        row = {"part": f"{name}: {versions[0]} to {versions[1]}", "name": tool, "engine": "", "m": lines_a, "n": lines_b}
        row |= {"median_s": runs.median(), "least_s": seconds[0], "greatest_s": seconds[-1], "more": more}
        rows.append(row)
        print(
            f"{name[:32]:32} {tool:20} {runs.median():8.4f} s ({seconds[0]:.4f} to {seconds[-1]:.4f}), "
            f"{more['processor_s']:8.4f} of the processor, {more['peak_MB']:7.1f} MB, script {script}",
            flush=True,
        )
    minimal = everything["git --minimal"]
    if not ours.is_ended:
        for tool, runs in everything.items():
            if not runs.is_ended and runs.script < ours.script:
                raise SystemExit(f"{name}: the script of {tool} is shorter than ours, {runs.script} and {ours.script}")
    of_tools = {}
    for tool, runs in everything.items():
        of_tools[tool] = "ended" if runs.is_ended else runs
    pair = {"name": name, "m": lines_a, "n": lines_b, "files": files, "bytes": bytes_a + bytes_b, "tools": of_tools}
    pair["is_minimal_ended"] = minimal.is_ended
    return pair, rows


def summary(pairs_done):
    """Yields the rows of a table with a column for each tool.

    The rows are seconds, processor seconds, memory, and the length of the script.
    """
    kinds = {
        "Seconds, medians": lambda runs: round(runs.median(), 4),
        "Processor seconds, medians": lambda runs: round(statistics.median(runs.used), 4),
        "Peak memory, MB": lambda runs: round(runs.peak / 1e6),
        "Lines deleted and inserted": lambda runs: runs.script,
    }
    for part, value in kinds.items():
        for pair in pairs_done:
            more = {tool: runs if runs == "ended" else value(runs) for tool, runs in pair["tools"].items()}
            yield {"part": part, "name": pair["name"], "engine": "", "m": pair["m"], "n": pair["n"], "more": more}


def processor():
    with open("/proc/cpuinfo") as file:
        for line in file:
            if line.startswith("model name"):
                return line.split(":")[1].strip()
    return platform.processor()


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("program")
    here = os.path.dirname(os.path.abspath(__file__))
    parser.add_argument("--peers", default=os.path.join(here, "diff_peers/target/release/diff-peers"))
    parser.add_argument("--data", default=os.path.join(here, "../target/diff_peers_data"), help="where the packages are kept")
    parser.add_argument("--rounds", type=int, default=11, help="at most")
    parser.add_argument("--least-rounds", type=int, default=3)
    parser.add_argument("--seconds", type=float, default=20, help="of a pair, after which no round begins but the least ones")
    parser.add_argument("--limit", type=int, default=30, help="processor seconds of a tool")
    parser.add_argument("--only", action="append", metavar="NAME", help="pairs whose names begin so")
    parser.add_argument("--output", metavar="FILE")
    options = parser.parse_args()
    options.data, options.peers = os.path.abspath(options.data), os.path.abspath(options.peers)
    os.makedirs(options.data, exist_ok=True)
    # Ignores the user's git configuration, and sorts names by bytes.
    os.environ.update(GIT_CONFIG_GLOBAL="/dev/null", GIT_CONFIG_NOSYSTEM="1", GIT_CEILING_DIRECTORIES=os.path.dirname(options.data), LC_ALL="C")
    done, rows = [], []
    memory = "/dev/shm" if os.path.isdir("/dev/shm") else None
    with tempfile.TemporaryDirectory(dir=memory) as scratch:
        is_wanted = lambda name: options.only is None or name.startswith(tuple(options.only))
        for name, versions, paths in pairs(options.data, is_wanted):
            pair, more = compare(options, name, versions, paths, scratch)
            done.append(pair)
            rows += more
    if options.output:
        of_pairs = [f'--only "{only}"' for only in options.only or []]
        versions = {tool: call([tool, "--version"]).splitlines()[0] for tool in ("diff", "git")}
        result = {
            "command": " ".join(["python3 benches/diff_peers.py target/release/carrywave", *of_pairs]),
            "date": datetime.date.today().isoformat(),
            "machine": f"{processor()}, {len(os.sched_getaffinity(0))} cores",
            "others": f"{versions['diff']}; {versions['git']}; imara-diff 0.2.0",
            "note": "m and n: lines; of a folder those of all files. ended: after the limit of processor seconds. Each row's peak is the greatest of its runs.",
            "rows": list(summary(done)) + rows,
        }
        with open(options.output, "w") as file:
            rows = ",\n".join(json.dumps(row) for row in result.pop("rows"))
            entries = [f"{json.dumps(key)}: {json.dumps(value)}" for key, value in result.items()]
            file.write("{\n" + ",\n".join([*entries, f'"rows": [\n{rows}\n]']) + "\n}\n")


if __name__ == "__main__":
    main()
