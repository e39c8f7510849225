"""Hooks call the function that the caller would have reached without libtauprof.so."""

import os
import pathlib
import subprocess

import pytest

LIBRARY = os.environ["TAUPROF_PRELOAD"]
PROGRAMS = pathlib.Path(os.environ["TAUPROF_PRELOAD_PROGRAMS"])


def run(command, folder, preload=True, **variables):
    environment = {**os.environ, "TAUPROF_DIR": str(folder / "logs"), "TAUPROF_CAPTURE": "api", **variables}
    if preload:
        environment["LD_PRELOAD"] = ":".join(filter(None, [LIBRARY, variables.get("LD_PRELOAD")]))
    return subprocess.run([str(word) for word in command], env=environment, capture_output=True, text=True, cwd=folder,
                          timeout=60)


@pytest.mark.parametrize("order", [(12, 13), (13, 12)])
def test_each_caller_reaches_its_own_major_version(order, tmp_path):
    callers = [PROGRAMS / f"libruntime_caller_{major}.so" for major in order]
    done = run([PROGRAMS / "two_runtimes", *callers], tmp_path)
    assert done.stderr == ""
    assert done.stdout.split() == [str(major) for major in order for _ in range(2)] * 3


def test_a_preloaded_runtime_serves_callers_of_its_version(tmp_path):
    """As without the recorder, the global scope comes before the caller's own, and the version decides."""
    callers = [PROGRAMS / f"libruntime_caller_{major}.so" for major in (12, 13)]
    runtimes = ":".join(str(PROGRAMS / f"libcudart.so.{major}") for major in (13, 12))
    done = run([PROGRAMS / "two_runtimes", *callers], tmp_path, LD_PRELOAD=runtimes)
    assert done.stdout.split() == ["12", "12", "13", "13"] * 3


def test_a_function_that_no_library_has_returns_an_error_and_prints_one_line(tmp_path):
    done = run([PROGRAMS / "no_runtime"], tmp_path)
    shared_object_symbol_not_found = "302"
    assert done.stdout.split() == [shared_object_symbol_not_found] * 2
    assert done.stderr == "tauprof: cudaEventQuery was called, but no library in this process has it\n"


@pytest.mark.parametrize("command", [["bash", "-c", "echo $((6*7)); exit 3"], ["env"], ["python3", "-c", "print(42)"]])
def test_programs_without_cuda_behave_as_without_the_recorder(command, tmp_path):
    bare, profiled = run(command, tmp_path, preload=False), run(command, tmp_path)
    lines = [line for line in profiled.stdout.splitlines() if not line.startswith("LD_PRELOAD=")]
    assert (lines, profiled.stderr, profiled.returncode) == (bare.stdout.splitlines(), bare.stderr, bare.returncode)
    assert not (tmp_path / "logs").exists()


def test_the_library_leaves_no_trace_if_turned_off(tmp_path):
    callers = [PROGRAMS / "libruntime_caller_13.so"]
    done = run([PROGRAMS / "two_runtimes", *callers], tmp_path, TAUPROF_ENABLE="0")
    assert done.stdout.split() == ["13"] * 6
    assert not (tmp_path / "logs").exists()
