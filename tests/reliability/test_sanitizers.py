"""Programs under AddressSanitizer with its leak check and under ThreadSanitizer: nothing of ours in their reports."""

import os
import subprocess

import pytest

from faults import calls_of, fault, hostile, rounds_of
from recorded_run import WITH_SIMGPU, program
from tiers import two_tiers


def cases(ways):
    """(way, status, runtime); in every run each way once, and the static runtime once."""
    every = [(way, status, runtime) for way, status in ways.items() for runtime in ("shared", "static")]
    return two_tiers(every, lambda case: case[2] == "shared" or case[0] == "return")


def sanitized(kind, runtime):
    [path] = hostile(f"{kind}_{runtime}")
    if not os.path.exists(path):
        pytest.skip(f"the compiler has no {runtime} {kind}")
    return path


def shared_runtime(path):
    """The runtime that a program needs first in LD_PRELOAD; None if it is in the program."""
    needed = subprocess.run(["ldd", path], capture_output=True, text=True, check=True).stdout
    return next((line.split()[2] for line in needed.splitlines() if "san.so" in line), None)


def run_sanitized(recorder, kind, runtime, way, with_recorder):
    """The libraries go to the program alone: a shell under a sanitizer has leaks of its own."""
    path = sanitized(kind, runtime)
    ours = program("TAUPROF_PRELOAD") if with_recorder else None
    first = ":".join(filter(None, [shared_runtime(path), ours]))
    command = f'LD_PRELOAD="{first + ":" if first else ""}$LD_PRELOAD" exec {path} {way}'
    return recorder.run([WITH_SIMGPU, "--", "sh", "-c", command], preload=False, simulation=False, timeout=60)


def assert_sanitizer_finds_the_same(recorder, kind, runtime, way, status):
    bare = run_sanitized(recorder, kind, runtime, way, False)
    assert bare.status == status, bare.errors
    run = run_sanitized(recorder, kind, runtime, way, True)
    assert run.status == status, run.errors
    assert run.output == bare.output
    assert run.errors.count("ERROR: ") == bare.errors.count("ERROR: ")
    assert run.errors.count("WARNING: ") == bare.errors.count("WARNING: ")
    assert "libtauprof" not in run.errors
    return run


@fault("A program with AddressSanitizer, which checks for leaks at the end", loses="nothing")
@pytest.mark.parametrize("way,status,runtime", cases({"return": 0, "_exit": 3, "_Exit": 4, "forks": 5, "leaks": 1}))
def test_no_leak_of_ours(recorder, runtime, way, status):
    run = assert_sanitizer_finds_the_same(recorder, "asan", runtime, way, status)
    assert calls_of(run.only_log(), "cudaMemsetAsync") == rounds_of(run)


@fault("AddressSanitizer ends a program with an overflow", loses="what was not written yet")
def test_an_overflow_is_still_found(recorder):
    assert_sanitizer_finds_the_same(recorder, "asan", "shared", "overflows", 1)


@fault("A program with ThreadSanitizer", loses="nothing")
@pytest.mark.parametrize("way,status,runtime", cases({"return": 0, "_exit": 3, "_Exit": 4, "forks": 5, "races": 66, "variables": 0}))
def test_no_race_and_no_thread_of_ours(recorder, runtime, way, status):
    run = assert_sanitizer_finds_the_same(recorder, "tsan", runtime, way, status)
    assert calls_of(run.only_log(), "cudaMemsetAsync") == rounds_of(run)
