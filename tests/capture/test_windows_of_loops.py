"""A window of steps in loops of every shape: the report has the wanted steps, begun where the loop began them."""

import pytest

from played_loop import PlayedLoop
from loop_shapes import SHAPES, not_known
from random_loop import RandomLoop, is_due
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


def play(recorder, tmp_path, loop):
    """The report of a window, and the launches of the truth."""
    script = loop.write(tmp_path / "script")
    run = recorder.run([fault_program("plays_loop"), script],
                       variables={"TAUPROF_START_STEP": str(FIRST), "TAUPROF_STEPS": str(COUNT)})
    assert (run.status, run.errors) == (0, ""), run.errors
    [process] = read_directory(run.truth)
    launches = sorted((span for span in process.spans if span.graph_node == 0), key=lambda span: span.submitted)
    assert len(launches) == loop.launches
    return run.report()["steps"], launches


def expect_wanted_steps(steps, launches, begins, evaluates_then):
    """`begins`: which launches begin steps."""
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
            before = launches[begins[number]] if evaluates_then else launches[next_begin - 1]
            end, slack = begin + step["duration_ns"], max(CLOCKS["abs"], CLOCKS["rel"] * step["duration_ns"])
            assert before.submitted - slack <= end <= launches[next_begin].start + slack


@pytest.mark.parametrize("shape,optimizer,has_autograd", CASES)
def test_the_wanted_steps_are_reported(recorder, tmp_path, shape, optimizer, has_autograd):
    loop = PlayedLoop(optimizer, has_autograd)
    try:
        SHAPES[shape](loop)
    except AttributeError:
        pytest.skip("not to be played")
    if len(loop.begins) - loop.unfinished < FIRST + COUNT:
        pytest.skip("too short")
    steps, launches = play(recorder, tmp_path, loop)
    expect_wanted_steps(steps, launches, loop.begins, shape in EVALUATE_THEN)


@pytest.mark.parametrize("number", range(20))
def test_the_wanted_steps_of_random_loops(recorder, tmp_path, number):
    random_loop = RandomLoop(number)
    loop = PlayedLoop(random_loop.optimizer, random_loop.has_autograd)
    random_loop.play(loop)
    print(random_loop)
    steps, launches = play(recorder, tmp_path, loop)
    expect_wanted_steps(steps, launches, loop.begins, is_due(FIRST + COUNT - 1, random_loop.evaluate_every))
