"""Steps of loops that no pattern of launches tells, by PyTorch's marks."""

import pytest

from recorded_run import Recorder
from scenario_runs import python_with_torch
from scenario_table import SCRIPTS

STEPS = 12


@pytest.mark.parametrize("loop, steps", [("threads", 4 * STEPS), ("critic", STEPS), ("closure", STEPS),
                                         ("inference", STEPS)])
def test_steps_are_those_of_the_program(tmp_path, loop, steps):
    run = Recorder(tmp_path).run([python_with_torch(), str(SCRIPTS / "few_lines.py"), loop, "--steps", str(STEPS)])
    assert run.status == 0, run.errors
    found = run.report()["steps"]
    assert (found["count"] + found["warmup"], found["origin"]) == (steps, "pytorch"), found["reason"]
