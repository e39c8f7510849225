"""Other libraries that are preloaded beside the recorder. In every order, the program gets what it gets without it."""

import itertools
import sys

import pytest

from faults import assert_same_outside, calls_of, fault
from recorded_run import program
from tiers import two_tiers

SHIMS = ["shim_denies", "shim_denies_13", "shim_forwards", "shim_forwards_13"]


def hostile(name):
    return program("TAUPROF_RELIABILITY_PROGRAMS") + "/" + name


def library(name):
    return hostile(f"libhostile_{name}.so")


def run_in_order(recorder, others, place, command=("multiplies",), **variables):
    """The program under these libraries, without and with the recorder's at this place among them."""
    def run(preloads):
        return recorder.run([hostile(command[0]), *command[1:]], preload=False, timeout=30,
                            variables={"LD_PRELOAD": ":".join(preloads), **variables})

    recorded = [*others[:place], program("TAUPROF_PRELOAD"), *others[place:]]
    return run(others), run(recorded)


def orders(names):
    for size in (1, 2):
        for chosen in itertools.permutations(names, size):
            yield from ((chosen, place) for place in range(size + 1))


@fault("Other libraries for CUDA calls are preloaded before and behind the recorder",
       loses="calls that a library before it does not pass on")
@pytest.mark.parametrize("is_enabled", ["1", "0"])
@pytest.mark.parametrize("names", SHIMS)
def test_shims_before_and_behind(recorder, names, is_enabled):
    for chosen, place in orders([names, "shim_forwards"] if names != "shim_forwards" else [names]):
        bare, run = run_in_order(recorder, [library(name) for name in chosen], place, TAUPROF_ENABLE=is_enabled)
        assert_same_outside(bare, run)
        if is_enabled == "1":
            allocations = calls_of(run.only_log(), "cudaMalloc")
            before = chosen[:place]
            assert allocations == (not any("denies" in name for name in before)), (chosen, place)


# Those that print what passes through show the order in which they are called.
LOADER_SHIMS = [["dlsym"], ["dlsym_once"], ["dlvsym"], ["dlopen"], ["dlopen", "dlopen_2"], ["driver"], ["driver", "dlopen"], ["_exit"], ["_Exit"],
                ["getenv"], ["getenv", "dlopen"], ["getenv", "dlsym"], ["early"], ["early", "dlsym"], ["dlopen", "dlsym"],
                ["_exit", "dlsym_once"], ["dlvsym", "_exit", "dlopen"]]

LOADER_FAULT = ("Libraries that replace `dlsym`, `dlvsym`, `dlopen`, `getenv`, `_exit` or `_Exit` are preloaded before and "
                "behind the recorder")


def programs_of_the_system():
    return [["sh", "-c", "echo 1; exit 3"], [sys.executable, "-c", "import os, ctypes; print(1, flush=True); os._exit(3)"]]


def is_alone_or_enabled(case):
    names, is_enabled = case
    return len(names) == 1 or is_enabled == "1"


@fault(LOADER_FAULT, loses="nothing")
@pytest.mark.parametrize("names,is_enabled", two_tiers(itertools.product(LOADER_SHIMS, "10"), is_alone_or_enabled),
                         ids=lambda value: "-".join(value))
def test_replaced_functions_of_the_loader(recorder, names, is_enabled):
    for place in range(len(names) + 1):
        for way in ("_exit", "_Exit"):
            bare, run = run_in_order(recorder, [library(name) for name in names], place, ["uses_loader", way],
                                     TAUPROF_ENABLE=is_enabled, HOSTILE_VARIABLE="value")
            assert "early" not in run.errors
            assert f"a driver: {'driver' in names:d}" in bare.output
            assert "the root of 9 is 3" in bare.output
            assert_same_outside(bare, run)
            assert bool(run.log_files()) == (is_enabled == "1")
            for log in run.read_logs():
                # A library before the recorder ends the process itself.
                assert calls_of(log, "cudaMemsetAsync") == 10 or way in names[:place], (place, way)


@fault(LOADER_FAULT, loses="nothing")
@pytest.mark.parametrize("names", LOADER_SHIMS, ids="-".join)
def test_replaced_functions_of_the_loader_in_programs_without_cuda(recorder, names):
    for place, command in itertools.product(range(len(names) + 1), programs_of_the_system()):
        preloads = [library(name) for name in names]
        bare, run = (recorder.run(command, preload=False, simulation=False, timeout=30,
                                  variables={"LD_PRELOAD": ":".join(preloads), "HOSTILE_VARIABLE": "value"})
                     for preloads in (preloads, [*preloads[:place], program("TAUPROF_PRELOAD"), *preloads[place:]]))
        assert bare.status == 3
        assert_same_outside(bare, run)


@fault("The whole CUDA stack comes from somebody else's preloaded library, without symbol versions", loses="nothing")
@pytest.mark.parametrize("is_enabled", ["1", "0"])
def test_a_foreign_stack_behind(recorder, is_enabled):
    bare, run = run_in_order(recorder, [library("fake_stack")], 0, TAUPROF_ENABLE=is_enabled)
    assert_same_outside(bare, run)
    assert all(line.endswith(": 0") for line in run.output.splitlines())
    if is_enabled == "1":
        gemms = [(row["function"], row["m"], row["stream"] != 0) for row in run.only_log().rows["gemm"]]
        assert gemms == [("cublasSgemm_v2", 64, True), ("cublasLtMatmul", 48, True)]
