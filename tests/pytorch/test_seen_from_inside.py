"""A program finds the same frames, lines, depths and errors with marks as without, and every call has its end."""

import pytest

from recorded_marks import marks_of, run_both
from recorded_run import Recorder
from scenario_runs import python_with_torch, version_of
from scenario_table import SCRIPTS

pytestmark = pytest.mark.every_python

LOOKS = ("stacks", "errors", "warned", "recursion", "deep", "copies", "threads")


def look_both(folder, *arguments):
    return run_both(folder, *arguments, script="seen_from_inside.py", python_options=("-W", "ignore"))


def assert_ends(expected, marks):
    """Each call has marks of its own, which start and end while it runs."""
    for name, began, ended in expected:
        inside = [row for row in marks[name] if began <= row["start"] and row["start"] + row["duration"] <= ended]
        started = [row for row in marks[name] if began <= row["start"] <= ended]
        assert inside and inside == started, (name, began, ended, started)
        if name != "fetch":  # the loader's start, its batches and its end
            assert len(inside) == 1, (name, began, ended, inside)


def test_nothing_shows(tmp_path):
    bare, recorded, run = look_both(tmp_path, *LOOKS)
    for look in LOOKS:
        assert recorded[look] == bare[look]
    assert bare["copies"]["globals"] == []
    assert marks_of(run)["forward"]


def test_calls_end_however_they_end(tmp_path):
    _, recorded, run = look_both(tmp_path, "ends")
    assert_ends(recorded["ends"], marks_of(run))


@pytest.mark.full
def test_functions_pass_their_calls_where_no_tool_is_free(tmp_path):
    if version_of(python_with_torch()) < (3, 12):
        pytest.skip("this Python has no sys.monitoring")
    bare, recorded, run = look_both(tmp_path, *LOOKS, "ends", "--take-tools")
    for look in LOOKS:
        assert recorded[look] == bare[look]
    assert_ends(recorded["ends"], marks_of(run))


@pytest.mark.full
@pytest.mark.parametrize("module", ["__main__", "torch.optim.lr_scheduler", "torch.nn.modules.module"])
def test_filters_of_the_command_line_match_the_same(tmp_path, module):
    """A warning of a line of this module is an error, and ends the program, or it is not."""
    recorder = Recorder(tmp_path)
    command = [python_with_torch(), "-W", f"error::UserWarning:{module}", str(SCRIPTS / "warning.py")]
    bare = recorder.run(command, preload=False)
    recorded = recorder.run(command)
    assert (recorded.status, recorded.output, recorded.errors) == (bare.status, bare.output, bare.errors)
    assert (bare.status != 0) == (module == "__main__")
