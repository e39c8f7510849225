"""Other libraries that are preloaded beside the recorder. In every order, the program gets what it gets without it."""

import itertools

import pytest

from faults import assert_same_outside, calls_of, fault
from recorded_run import program

SHIMS = ["shim_denies", "shim_denies_13", "shim_forwards", "shim_forwards_13"]


def hostile(name):
    return program("TAUPROF_RELIABILITY_PROGRAMS") + "/" + name


def library(name):
    return hostile(f"libhostile_{name}.so")


def run_in_order(recorder, others, place, **variables):
    """The program under these libraries, without and with the recorder's at this place among them."""
    def run(preloads):
        return recorder.run([hostile("multiplies")], preload=False,
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


@fault("The whole CUDA stack comes from somebody else's preloaded library, without symbol versions", loses="nothing")
@pytest.mark.parametrize("is_enabled", ["1", "0"])
def test_a_foreign_stack_behind(recorder, is_enabled):
    bare, run = run_in_order(recorder, [library("fake_stack")], 0, TAUPROF_ENABLE=is_enabled)
    assert_same_outside(bare, run)
    assert all(line.endswith(": 0") for line in run.output.splitlines())
    if is_enabled == "1":
        gemms = [(row["function"], row["m"], row["stream"] != 0) for row in run.only_log().rows["gemm"]]
        assert gemms == [("cublasSgemm_v2", 64, True), ("cublasLtMatmul", 48, True)]
