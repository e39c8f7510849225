"""The environment belongs to the program: what becomes of the recorder's settings in one that changes it, and that the
recorder, which NVTX, the driver and NCCL are to load, sets no variable."""

import os
import shutil
import sys

import pytest

from faults import calls_of, fault, hostile, run_both
from recorded_run import program
from tiers import two_tiers

BUILDS = ("asks_environment", "asks_environment_static", "asks_environment_fixed")
WAYS = ("nothing", "unset", "clear", "set", "empty")


@fault("The program clears its environment before its first call", loses="nothing")
def test_a_cleared_environment_changes_no_setting(recorder):
    _, run = run_both(recorder, hostile("clears_environment"), variables={"RANK": "3", "WORLD_SIZE": "8"})
    log = run.only_log()  # where TAUPROF_DIR says
    assert calls_of(log, "cudaMemset") == 1
    assert log.rows["process"][0]["rank"] == 3


def is_new(case):
    return case[0] == "asks_environment_static" or case[1] in ("nothing", "set")


@fault("A program and its children look at their environment, or change it, while NVTX, CUDA and NCCL start",
       loses="what no hook sees, where the program names other tools")
@pytest.mark.parametrize("build,way", two_tiers([(build, way) for build in BUILDS for way in WAYS], is_new))
def test_nobody_sees_a_variable_of_ours(recorder, build, way):
    bare, run = run_both(recorder, hostile(build, way))
    names_others = way in ("set", "empty")
    assert f"seen meanwhile: {names_others:d}" in bare.output
    if way == "set" and build != "asks_environment":
        assert not run.log_files()
        return
    log = run.only_log()
    assert calls_of(log, "cudaMemsetAsync") == (10 if not names_others or build == "asks_environment" else 0)
    if way != "empty":  # NVTX looks for the entry in the whole program then
        assert [row["name"] for row in log.rows["range"]] == ([] if names_others else ["a range"])
    # To NCCL, an empty name is none.
    assert [row["operation"] for row in log.rows["collective"]] == ["all_reduce"]


def test_a_second_copy_of_the_library_tells_the_program_nothing(recorder, tmp_path):
    copy = shutil.copy(program("TAUPROF_PRELOAD"), tmp_path / "libcopy.so")
    bare, run = (recorder.run(hostile("asks_environment", "nothing"), variables={"LD_PRELOAD": preloads}, preload=False)
                 for preloads in ("", f"{copy}:{program('TAUPROF_PRELOAD')}"))
    assert (run.status, run.output) == (bare.status, bare.output)


@fault("A launcher that uses the driver refuses to work where a tool is to be loaded into it", loses="nothing")
def test_a_launcher_is_not_told_of_tools(recorder):
    _, run = run_both(recorder, hostile("launches", *hostile("clears_environment")))
    assert (run.status, run.output) == (0, "8 devices\n0 0\n")
    assert sum(calls_of(log, "cudaMemset") for log in run.read_logs()) == 1


ASKS = """
import ctypes, sys
library = ctypes.CDLL(sys.argv[1])
library.ask.restype = ctypes.c_char_p
for name in (b"CUDA_INJECTION64_PATH", b"NVTX_INJECTION64_PATH", b"NCCL_PROFILER_PLUGIN"):
    print(library.ask(name, 0), library.ask(name, 1))
"""


@pytest.mark.parametrize("is_enabled", ["1", "0"])
@pytest.mark.parametrize("name", ["asks", "asks_as_driver"])
def test_only_the_driver_is_told_of_us(recorder, name, is_enabled):
    command = [sys.executable, "-c", ASKS, hostile(f"libhostile_{name}.so")[0]]
    run = recorder.run(command, simulation=False, variables={"TAUPROF_ENABLE": is_enabled})
    ours = f"b'{program('TAUPROF_PRELOAD')}'" if (name, is_enabled) == ("asks_as_driver", "1") else "None"
    assert run.output == f"{ours} {ours}\nNone None\nNone None\n"


def test_a_command_that_we_run_has_no_variables_of_tools(recorder, tmp_path):
    run = recorder.run([program("TAUPROF_BIN"), "run", "-o", str(tmp_path), "--", "env"], preload=False, simulation=False)
    assert run.status == 0
    names = {line.partition("=")[0] for line in run.output.splitlines()} - set(os.environ)
    assert {name for name in names if not name.startswith("TAUPROF_")} <= {"LD_PRELOAD"}
