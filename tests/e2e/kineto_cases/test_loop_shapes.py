"""Training loops of many shapes without step markers: every step is found where the loop starts it."""

import pytest

from kineto_trace import report_of
from loop_shapes import SHAPES
from random_loop import RandomLoop
from shapes_of_passes import WITHOUT_KNOWN_UPDATES, whole_step_in_a_graph
from tiers import two_tiers
from training_program import OPTIMIZERS, Program

PROGRAMS = [(optimizer, "autograd") for optimizer in OPTIMIZERS] + [("fused", "main"), ("plain", "main")]
CASES = [(shape, *program) for shape in SHAPES for program in PROGRAMS]


def expect_steps_of(program, steps):
    whole = len(program.starts) - program.unfinished
    assert steps["unit"] == "step" and steps["warmup"] + steps["count"] == whole, steps["reason"]
    found = [step["duration_ns"] for step in steps["list"]]
    own = program.durations()[steps["warmup"]:whole - 1]
    assert found[:len(own)] == pytest.approx(own, abs=2)


@pytest.mark.parametrize("shape, optimizer, thread", CASES)
def test_steps_start_where_the_loop_starts_them(shape, optimizer, thread, tauprof, tmp_path):
    program = Program(optimizer, has_autograd=thread == "autograd")
    SHAPES[shape](program)
    expect_steps_of(program, report_of(tauprof, tmp_path, program.trace)["steps"])


@pytest.mark.parametrize("number", two_tiers(range(120), range(30).__contains__))
def test_steps_of_random_loops_are_found(number, tauprof, tmp_path):
    loop = RandomLoop(number)
    program = Program(loop.optimizer, loop.has_autograd)
    loop.play(program)
    print(loop)
    expect_steps_of(program, report_of(tauprof, tmp_path, program.trace)["steps"])


@pytest.mark.parametrize("thread", ["autograd", "main"])
@pytest.mark.parametrize("shape", [SHAPES[name] for name in ("plain_loop", "evaluations", "two_steps")] +
                         list(WITHOUT_KNOWN_UPDATES), ids=lambda shape: shape.__name__)
def test_where_nothing_names_an_update_the_report_is_by_time(shape, thread, tauprof, tmp_path):
    """The recurring part may be a layer, a micro-batch or an evaluation."""
    program = Program("plain", has_autograd=thread == "autograd", names_updates=False)
    shape(program)
    report = report_of(tauprof, tmp_path, program.trace)
    assert (report["steps"]["detected_by"], report["steps"]["unit"]) == ("time", "slice")
    assert report["steps"]["reason"]
    assert [finding["title"] for finding in report["findings"] if finding["id"] == "steps-unsure"] == [
        "No steps are known: the report is by time"]


def test_graphs_that_name_no_update_lie_in_no_step(tauprof, tmp_path):
    """Three steps are known by their updates; twelve more are launches of a graph whose kernels say nothing."""
    program = Program("fused")
    whole_step_in_a_graph(program)
    steps = report_of(tauprof, tmp_path, program.trace)["steps"]
    assert (steps["count"], steps["detected_by"]) == (3, "optimizer")
    assert steps["outside_share"] > 0.5
