"""Steps of loops that no pattern of launches tells, by PyTorch's marks."""

import pytest

from recorded_run import Recorder
from scenario_runs import python_with_torch
from scenario_table import SCRIPTS
from tiers import two_tiers

STEPS = 12


@pytest.mark.parametrize("loop", ["critic", "closure", "inference"])
def test_steps_are_those_of_the_program(tmp_path, loop):
    run = Recorder(tmp_path).run([python_with_torch(), str(SCRIPTS / "few_lines.py"), loop, "--steps", str(STEPS)])
    assert run.status == 0, run.errors
    found = run.report()["steps"]
    assert (found["count"] + found["warmup"], found["origin"]) == (STEPS, "pytorch"), found["reason"]


@pytest.mark.parametrize("loop", ["critic", "closure", "inference"])
@pytest.mark.parametrize("first", two_tiers([0, 3], (3).__eq__))
def test_a_window_has_the_wanted_steps(tmp_path, loop, first):
    command = [python_with_torch(), str(SCRIPTS / "few_lines.py"), loop, "--steps", str(STEPS)]
    run = Recorder(tmp_path).run(command, variables={"TAUPROF_START_STEP": str(first), "TAUPROF_STEPS": "4"})
    assert (run.status, run.errors) == (0, "")
    found = run.report()["steps"]
    assert (found["count"] + found["warmup"], found["origin"]) == (4, "pytorch"), found["reason"]
    assert [step["step"] for step in found["list"]] == list(range(first, first + 4))[found["warmup"]:]
    marks = {"inference": "forward"}.get(loop, "update")
    rows = [row for row in run.only_log().rows["range"] if row["source"] == "framework" and row["name"] == marks]
    in_a_step = {"critic": 6, "closure": 1, "inference": 1}[loop]
    assert 4 * in_a_step <= len(rows) <= 5 * in_a_step


def test_threads_make_classes_of_optimizers_at_once(tmp_path):
    """While one of them is being watched, another is already made."""
    run = Recorder(tmp_path).run([python_with_torch(), str(SCRIPTS / "few_lines.py"), "classes", "--steps", str(STEPS)])
    assert (run.status, run.errors) == (0, "")
    updates = [row for row in run.only_log().rows["range"] if row["source"] == "framework" and row["name"] == "update"]
    assert len(updates) == 8 * STEPS
