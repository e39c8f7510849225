"""Marks beside debuggers, profilers, coverage tools and patches: neither notices the other."""

import functools
import subprocess

import pytest

from recorded_marks import counts, marks_of, run_both
from scenario_runs import python_with_torch

pytestmark = pytest.mark.every_python

STEPS = 6


@functools.lru_cache(maxsize=None)
def has_monitoring(python):
    return subprocess.run([python, "-c", "import sys; sys.monitoring"], capture_output=True, check=False).returncode == 0


@pytest.mark.parametrize("when", [(), ("--first",)], ids=("later", "first"))
@pytest.mark.parametrize("tool", ["monitoring", "trace", "profile", "patches"])
def test_neither_tool_notices_the_other(tmp_path, tool, when):
    if tool != "patches" and not has_monitoring(python_with_torch()):
        pytest.skip("before Python 3.12 the functions have other code, which tracers see")
    bare, recorded, run = run_both(tmp_path, tool, *when, "--steps", str(STEPS), script="beside_tools.py")
    assert recorded == bare
    assert sum(bare["seen"].values()) > STEPS
    steps = bare["steps"]
    # One pass forward and one backward fail.
    wanted = {"forward": 2 * steps + 1, "backward": steps + 1, "update": steps, "zero_grad": steps,
              "fetch": steps + 2 * steps // STEPS}
    assert counts(marks_of(run), *wanted) == wanted


def test_a_tool_that_is_taken_away_ends_the_marks(tmp_path):
    if not has_monitoring(python_with_torch()):
        pytest.skip("this Python has no sys.monitoring")
    bare, recorded, run = run_both(tmp_path, "freed", "--steps", str(STEPS), script="beside_tools.py")
    assert recorded == bare
    assert counts(marks_of(run), "backward", "update") == {"backward": STEPS + 1, "update": STEPS}
