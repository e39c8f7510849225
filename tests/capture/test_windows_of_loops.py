"""A window of steps in loops of every shape: the report has the wanted steps, and they begin where the loop began them."""

import pytest

from played_loop import PlayedLoop
from loop_shapes import SHAPES, not_known
from recorded_run import fault_program
from simgpu_truth.reader import read_directory
from training_program import OPTIMIZERS

FIRST, COUNT = 4, 3
CLOCKS = {"abs": 1000, "rel": 1e-5}  # what a duration may be off between the device's clock and the host's, ns
# An evaluation follows the last wanted step: recording ends with its first launch.
EVALUATE_THEN = ("epochs_with_validation", "everything_at_once")
# Nothing tells the micro-batches from steps before the first update, and then the window is over.
NOT_KNOWN_YET = ("much_accumulation", "plain", False)
# (optimizer, backward by a thread of its own)
PROGRAMS = [("fused", True), ("foreach", True), ("plain", True), ("fused", False), ("plain", False)]
CASES = [(shape, optimizer, has_autograd) for shape in SHAPES for optimizer, has_autograd in PROGRAMS
         if not not_known(shape, optimizer, "autograd" if has_autograd else "main")
         and (shape, optimizer, has_autograd) != NOT_KNOWN_YET]


def play(recorder, tmp_path, shape, optimizer, has_autograd):
    """The report of a window, the launches of the truth, and which of them begin steps; None: the loop is too short, or
    cannot be played."""
    loop = PlayedLoop(optimizer, has_autograd)
    try:
        SHAPES[shape](loop)
    except AttributeError:
        return None
    if len(loop.begins) - loop.unfinished < FIRST + COUNT:
        return None
    script = loop.write(tmp_path / "script")
    run = recorder.run([fault_program("plays_loop"), script],
                       variables={"TAUPROF_START_STEP": str(FIRST), "TAUPROF_STEPS": str(COUNT)})
    assert (run.status, run.errors) == (0, ""), run.errors
    [process] = read_directory(run.truth)
    launches = sorted((span for span in process.spans if span.graph_node == 0), key=lambda span: span.submitted)
    assert len(launches) == loop.launches
    return run.report()["steps"], launches, loop.begins


@pytest.mark.parametrize("shape,optimizer,has_autograd", CASES)
def test_the_wanted_steps_are_reported(recorder, tmp_path, shape, optimizer, has_autograd):
    played = play(recorder, tmp_path, shape, optimizer, has_autograd)
    if played is None:
        pytest.skip("not to be played")
    steps, launches, begins = played
    assert steps["warmup"] + steps["count"] == COUNT, steps["reason"]
    numbers = [step["step"] for step in steps["list"]]
    assert numbers == list(range(FIRST, FIRST + COUNT))[-len(numbers):], steps["reason"]
    for step in steps["list"]:
        number = step["step"]
        begin = launches[begins[number]].start
        if number < FIRST + COUNT - 1:
            assert step["duration_ns"] == pytest.approx(launches[begins[number + 1]].start - begin, **CLOCKS)
        elif number + 1 < len(begins):
            # The window closes with the call that begins the next step, before its work.
            next_begin = begins[number + 1]
            before = launches[next_begin - 1] if shape not in EVALUATE_THEN else launches[begins[number]]
            end, slack = begin + step["duration_ns"], max(CLOCKS["abs"], CLOCKS["rel"] * step["duration_ns"])
            assert before.submitted - slack <= end <= launches[next_begin].start + slack
