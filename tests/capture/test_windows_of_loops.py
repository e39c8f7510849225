"""A window of steps in loops of every shape: the report has the wanted steps, and they begin where the loop began them."""

import pytest

from played_loop import PlayedLoop
from loop_shapes import SHAPES, not_known
from recorded_run import fault_program
from training_program import OPTIMIZERS

FIRST, COUNT = 4, 3
SLACK = 1_000_000  # from a call to its work on the device, of a host that others use, too; steps take five times as long
# An evaluation follows the last wanted step: recording ends with its first launch.
EVALUATE_THEN = ("epochs_with_validation", "everything_at_once")
# (optimizer, backward by a thread of its own)
PROGRAMS = [("fused", True), ("foreach", True), ("plain", True), ("fused", False), ("plain", False)]
CASES = [(shape, optimizer, has_autograd) for shape in SHAPES for optimizer, has_autograd in PROGRAMS
         if not not_known(shape, optimizer, "autograd" if has_autograd else "main")]


def play(recorder, tmp_path, shape, optimizer, has_autograd):
    """The report of a window, and between which times each step began; None: the loop is too short, or cannot be played."""
    loop = PlayedLoop(optimizer, has_autograd)
    try:
        SHAPES[shape](loop)
    except AttributeError:
        return None
    if loop.steps - loop.unfinished < FIRST + COUNT:
        return None
    script = loop.write(tmp_path / "script")
    run = recorder.run([fault_program("plays_loop"), script],
                       variables={"TAUPROF_START_STEP": str(FIRST), "TAUPROF_STEPS": str(COUNT)})
    assert (run.status, run.errors) == (0, ""), run.errors
    begins = [tuple(map(int, line.split()[2:])) for line in run.output.splitlines()]
    return run.report()["steps"], begins


@pytest.mark.parametrize("shape,optimizer,has_autograd", CASES)
def test_the_wanted_steps_are_reported(recorder, tmp_path, shape, optimizer, has_autograd):
    played = play(recorder, tmp_path, shape, optimizer, has_autograd)
    if played is None:
        pytest.skip("not to be played")
    steps, begins = played
    assert steps["warmup"] + steps["count"] == COUNT, steps["reason"]
    numbers = [step["step"] for step in steps["list"]]
    assert numbers == list(range(FIRST, FIRST + COUNT))[-len(numbers):], steps["reason"]
    for step in steps["list"]:
        number = step["step"]
        if number + 1 == len(begins) or (number == FIRST + COUNT - 1 and shape in EVALUATE_THEN):
            continue
        (before, after), (next_before, next_after) = begins[number], begins[number + 1]
        assert next_before - after - SLACK <= step["duration_ns"] <= next_after - before + SLACK, steps["reason"]
