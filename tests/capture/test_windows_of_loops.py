"""A window of steps in loops of every shape: the report has the wanted steps, and they start where the loop starts
them."""

import pytest

from played_loop import PlayedLoop
from loop_shapes import SHAPES
from random_loop import RandomLoop, is_due
from recorded_run import fault_program
from simgpu_truth.reader import read_directory
from tiers import two_tiers

FIRST, COUNT = 4, 3
CLOCKS = {"abs": 1000, "rel": 1e-5}  # how far the device's and the host's clock may differ in a duration, ns
# An evaluation follows the last wanted step: recording ends with its first launch.
EVALUATE_THEN = ("epochs_with_validation", "everything_at_once")
# (optimizer, whether backward has its own thread)
PROGRAMS = [("fused", True), ("foreach", True), ("fused", False)]
CASES = [(shape, optimizer, has_autograd) for shape in SHAPES for optimizer, has_autograd in PROGRAMS]


def one_program_of_each_shape():
    """Changes the program from shape to shape, so that each of them is used."""
    of_shape = {}
    for case in CASES:
        of_shape.setdefault(case[0], []).append(case)
    return {cases[number % len(cases)] for number, cases in enumerate(of_shape.values())}


def play(recorder, tmp_path, loop):
    """The steps in the report of a window, and the launches in the truth."""
    script = loop.write(tmp_path / "script")
    run = recorder.run([fault_program("plays_loop"), script],
                       variables={"TAUPROF_START_STEP": str(FIRST), "TAUPROF_STEPS": str(COUNT)})
    assert run.status == 0 and "nobody counts this program's steps" in run.errors, run.errors
    [process] = read_directory(run.truth)
    launches = sorted((span for span in process.spans if span.graph_node == 0), key=lambda span: span.submitted)
    assert len(launches) == loop.launches
    return run.report()["steps"], launches


def expect_wanted_steps(steps, launches, starts):
    """`starts`: which launches start steps."""
    assert steps["warmup"] + steps["count"] == COUNT, steps["reason"]
    numbers = [step["step"] for step in steps["list"]]
    assert numbers == list(range(FIRST, FIRST + COUNT))[-len(numbers):], steps["reason"]
    for step in steps["list"]:
        number = step["step"]
        start = launches[starts[number]].start
        if number + 1 < len(starts):
            assert step["duration_ns"] == pytest.approx(launches[starts[number + 1]].start - start, **CLOCKS)


@pytest.mark.parametrize("shape,optimizer,has_autograd", two_tiers(CASES, one_program_of_each_shape().__contains__))
def test_the_wanted_steps_of_every_loop_are_reported(recorder, tmp_path, shape, optimizer, has_autograd):
    loop = PlayedLoop(optimizer, has_autograd)
    try:
        SHAPES[shape](loop)
    except AttributeError:
        pytest.skip("cannot be played")
    if len(loop.starts) - loop.unfinished < FIRST + COUNT:
        pytest.skip("too short")
    steps, launches = play(recorder, tmp_path, loop)
    expect_wanted_steps(steps, launches, loop.starts)


# Nothing names the updates of a plain optimizer.
NAMED = [number for number in range(30) if RandomLoop(number).optimizer != "plain"]


@pytest.mark.parametrize("number", two_tiers(NAMED[:20], NAMED[:5].__contains__))
def test_the_wanted_steps_of_random_loops_are_reported(recorder, tmp_path, number):
    random_loop = RandomLoop(number)
    loop = PlayedLoop(random_loop.optimizer, random_loop.has_autograd)
    random_loop.play(loop)
    print(random_loop)
    steps, launches = play(recorder, tmp_path, loop)
    expect_wanted_steps(steps, launches, loop.starts)
