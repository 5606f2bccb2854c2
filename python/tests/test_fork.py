"""Tests that forked processes can compute, and that signals end them."""

import concurrent.futures
import multiprocessing
import os
import signal
import threading
import time
import traceback

import carrywave
import pytest
from carrywave.compat import edlib
from carrywave.compat.rapidfuzz import process

pytestmark = [
    pytest.mark.skipif(not hasattr(os, "fork"), reason="there is no fork here"),
    # Python warns about every fork in a process with threads.
    pytest.mark.filterwarnings("ignore::DeprecationWarning"),
]

LONG = "ab" * 200, "ba" * 200
WORDS = ["kitten", "sitting", "mitten", "kitchen", "é", "中文"] * 3
TEXT = "to carry a wave, or to carry, wavé " * 2000
CPU = carrywave.Cpu(threads=2)
SIMT = carrywave.Simt()
SEARCHER = carrywave.Searcher("wave", 1)

CALLS = {
    "align": lambda: carrywave.align("kitten", "sitting").cigar,
    "align long": lambda: carrywave.align(*LONG).distance,
    "align with threads": lambda: carrywave.align(*LONG, engine=CPU).distance,
    "align items": lambda: carrywave.align(list(range(900)), list(range(5, 900))).distance,
    "cdist": lambda: carrywave.cdist(WORDS).tolist(),
    "clusters": lambda: carrywave.clusters(["wave", "carry", "waves"], 1).tolist(),
    "cpdist": lambda: carrywave.cpdist(WORDS, WORDS[::-1]).tolist(),
    "cpdist ASCII": lambda: carrywave.cpdist(["kitten"], ["sitting"]).tolist(),
    "diff": lambda: carrywave.diff(TEXT * 20, TEXT * 20 + "x", unit="word").unified("a", "b"),
    "distance": lambda: carrywave.distance("kitten" * 500, "sitting" * 500),
    "edlib": lambda: edlib.align("kitten", "sitting", task="path")["cigar"],
    "infix": lambda: carrywave.distance("wave" * 30, TEXT, mode="infix"),
    "lcs": lambda: carrywave.lcs(*LONG).length,
    "nearest": lambda: [part.tolist() for part in carrywave.nearest(WORDS, WORDS, top=2)],
    "rapidfuzz": lambda: process.cdist(WORDS, WORDS).tolist(),
    "search": lambda: len(carrywave.search("wave", TEXT, 1)),
    "searcher": lambda: SEARCHER.count("a wave, a wafe"),
    "simulator": lambda: carrywave.lcs_length("ABCBDAB", "BDCABA", engine="simt"),
    "best": lambda: carrywave.best("carry wave", TEXT).start,
    "simulator object": lambda: carrywave.lcs_length("ABCBDAB", "BDCABA", engine=SIMT),
    "within": lambda: [part.tolist() for part in carrywave.within(WORDS, 2)],
}


def all_calls():
    return {name: call() for name, call in CALLS.items()}


def in_child(job, seconds=60):
    """Returns true if a job in a forked child returns a true value within the given seconds."""
    child = os.fork()
    if child == 0:
        try:
            os._exit(0 if job() else 1)
        except BaseException:
            traceback.print_exc()
        finally:
            os._exit(2)
    end = time.monotonic() + seconds
    while time.monotonic() < end:
        process, status = os.waitpid(child, os.WNOHANG)
        if process:
            return os.waitstatus_to_exitcode(status) == 0
        time.sleep(0.005)
    os.kill(child, signal.SIGKILL)
    os.waitpid(child, 0)
    return False


@pytest.fixture(scope="module")
def expected():
    return all_calls()


def test_child_and_its_child(expected):
    assert in_child(lambda: all_calls() == expected and in_child(lambda: all_calls() == expected))


def test_threads_of_a_child(expected):
    def in_threads():
        with concurrent.futures.ThreadPoolExecutor(4) as pool:
            return all(pool.map(lambda _: carrywave.cdist(WORDS).tolist() == expected["cdist"], range(20)))

    assert in_child(in_threads)


def test_fork_while_others_compute(expected):
    ended = threading.Event()

    def compute():
        while not ended.is_set():
            carrywave.align("ab" * 2000, "ba" * 2000)
            SEARCHER.count(TEXT[:60_000])
            carrywave.cdist(WORDS * 20)

    def simulate():
        while not ended.is_set():
            carrywave.lcs_length("ABCBDAB" * 9, "BDCABA" * 9, engine=SIMT)

    threads = [threading.Thread(target=work) for work in (compute, simulate)]
    for thread in threads:
        thread.start()
    calls = ["align", "cdist", "searcher", "search", "edlib", "simulator object"]
    try:
        for _ in range(5):
            assert in_child(lambda: all(CALLS[name]() == expected[name] for name in calls))
        # Forks in a thread other than the main thread.
        with concurrent.futures.ThreadPoolExecutor(1) as pool:
            assert pool.submit(in_child, lambda: CALLS["cdist"]() == expected["cdist"]).result()
    finally:
        ended.set()
        for thread in threads:
            thread.join()


def named(name):
    return CALLS[name]()


def test_pools_of_processes(expected):
    names = list(CALLS)
    context = multiprocessing.get_context("fork")
    with context.Pool(2) as pool:
        assert pool.map_async(named, names).get(60) == [expected[name] for name in names]
    with concurrent.futures.ProcessPoolExecutor(2, mp_context=context) as pool:
        assert list(pool.map(named, names, timeout=60)) == [expected[name] for name in names]


def test_interrupt_ends_a_child(expected):
    child = os.fork()
    if child == 0:
        try:
            signal.signal(signal.SIGINT, signal.default_int_handler)
            a, b = ("".join(chr(97 + i * i * k % 26) for i in range(2_000_000)) for k in (3, 7))
            carrywave.align(a, b, algorithm="bit-parallel")
        except KeyboardInterrupt:
            os._exit(0)
        finally:
            os._exit(1)
    time.sleep(1.5)
    os.kill(child, signal.SIGINT)
    end = time.monotonic() + 20
    while time.monotonic() < end:
        process, status = os.waitpid(child, os.WNOHANG)
        if process:
            assert os.waitstatus_to_exitcode(status) == 0
            return
        time.sleep(0.01)
    os.kill(child, signal.SIGKILL)
    os.waitpid(child, 0)
    pytest.fail("the child went on")


@pytest.mark.skipif(carrywave.gpu_count() == 0, reason="there is no GPU here")
def test_gpu_of_the_parent():
    """Checks that a child cannot use an open GPU or a text on it, nor open a GPU.

    The child gets errors at once, and can use the CPU.
    """
    gpu = carrywave.Gpu()
    text = carrywave.ResidentText(gpu, b"to carry a wave")
    assert carrywave.distance("kitten", "sitting", engine=gpu) == 3

    def refused(call):
        try:
            call()
        except carrywave.Error as error:
            return "fork" in str(error)
        return False

    def child():
        calls = [
            lambda: carrywave.distance("kitten", "sitting", engine=gpu),
            lambda: carrywave.lcs(*LONG, engine=gpu),
            lambda: carrywave.search(b"wave", text),
            lambda: carrywave.cdist(WORDS, engine=gpu),
            lambda: carrywave.ResidentText(gpu, b"wave"),
            lambda: carrywave.Gpu(),
            lambda: carrywave.lcs_length("ab", "b", engine="gpu"),
        ]
        return [refused(call) for call in calls] == [True] * len(calls) and carrywave.cdist(WORDS).shape == (18, 18)

    assert in_child(child)

    def drops():
        nonlocal gpu, text
        del text
        gpu.close()
        del gpu
        return True

    assert in_child(drops)
    assert len(carrywave.search(b"wave", text)) == 1
