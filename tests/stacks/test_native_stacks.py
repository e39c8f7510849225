"""Native frames: the recorder takes them, the analyzer names them."""

import os
import pathlib
import shutil

import pytest

from recorded_run import program
from recorded_stacks import stack_of

SOURCE = pathlib.Path(__file__).resolve().parent / "programs" / "native.cpp"
SLOW = {"TAUPROF_STACKS": "slow"}


def native():
    return str(pathlib.Path(program("TAUPROF_STACK_PROGRAMS")) / "stacks_native")


def the_line():
    lines = SOURCE.read_text(encoding="utf-8").splitlines()
    [number] = [i + 1 for i, line in enumerate(lines) if "// the line" in line]
    return number


def read_backs(report):
    return [row for row in report["slow_calls"] if row["call"] == "cudaMemcpy"]


def test_a_native_frame_has_its_file_build_id_and_offset(recorder):
    run = recorder.run([native()], variables=SLOW)
    assert (run.status, run.output, run.errors) == (0, "0\n", "")
    log = run.only_log()
    copies = [row for row in log.rows["call"] if row["function"] == "cudaMemcpy"]
    assert len({row["stack"] for row in copies}) == 1
    innermost = stack_of(log, copies[0]["stack"])[0]
    assert innermost["language"] == "native" and os.path.samefile(innermost["module"], native())
    builds = {row["module"]: row["build_id"] for row in log.rows["module"]}
    assert len(builds[innermost["module"]]) == 40
    assert not any("libtauprof" in frame["module"] for row in copies for frame in stack_of(log, row["stack"]))


def test_the_analyzer_names_function_file_and_line(recorder):
    [call] = read_backs(recorder.run([native()], variables=SLOW).report())
    assert call["count"] == 5
    file, _, rest = call["where"].partition(":")
    assert os.path.samefile(file, SOURCE)
    assert rest == f"{the_line()} char loading::read_back<char>"


def test_a_rebuilt_file_is_not_used_for_names(recorder, tmp_path):
    binary = tmp_path / "job"
    shutil.copy(native(), binary)
    run = recorder.run([str(binary)], variables=SLOW)
    shutil.copy("/bin/true", binary)
    [call] = read_backs(run.report())
    assert call["where"].startswith("job+0x")


@pytest.mark.parametrize("stacks", ["all"])
def test_every_call_has_a_native_stack(recorder, stacks):
    log = recorder.run([native()], variables={"TAUPROF_STACKS": stacks}).only_log()
    assert all(row["stack"] for row in log.rows["call"])
