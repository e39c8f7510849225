"""Marks beside debuggers, profilers, coverage tools and patches: neither notices the other."""

import pytest

from recorded_marks import counts, marks_of, run_both
from scenario_runs import python_with_torch, version_of
from tiers import two_tiers

pytestmark = pytest.mark.every_python

STEPS = 6


@pytest.mark.parametrize("tool, when", two_tiers(
    [(tool, when) for tool in ("monitoring", "trace", "profile", "patches") for when in ((), ("--first",))],
    [("trace", ()), ("patches", ())].__contains__))
def test_neither_tool_notices_the_other(tmp_path, tool, when):
    version = version_of(python_with_torch())
    if tool == "monitoring" and version < (3, 12):
        pytest.skip("this Python has no sys.monitoring")
    if tool in ("trace", "profile") and version < (3, 11):
        pytest.skip("before Python 3.11 tracers see what the recorder asks PyTorch")
    bare, recorded, run = run_both(tmp_path, tool, *when, "--steps", str(STEPS), script="beside_tools.py")
    assert recorded == bare
    assert sum(bare["seen"].values()) > STEPS
    steps = bare["steps"]
    # One pass forward and one backward fail.
    wanted = {"forward": 2 * steps + 1, "backward": steps + 1, "update": steps, "zero_grad": steps,
              "fetch": steps + 2 * steps // STEPS}
    assert counts(marks_of(run), *wanted) == wanted


def test_a_tool_that_is_taken_away_ends_the_marks(tmp_path):
    if version_of(python_with_torch()) < (3, 12):
        pytest.skip("this Python has no sys.monitoring")
    bare, recorded, run = run_both(tmp_path, "freed", "--steps", str(STEPS), script="beside_tools.py")
    assert recorded == bare
    assert counts(marks_of(run), "backward", "update") == {"backward": STEPS + 1, "update": STEPS}
