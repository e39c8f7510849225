"""Updates that a hook makes inside the backward pass: with marks and without."""

import pytest

STEPS = ("--steps", "1:10")  # where marks tell steps; without, there are slices of time, as many as the run has seconds


def device_times(run, *options):
    """{phase: device time of a mean step}, which is the same in every run on the simulated device."""
    return {phase["name"]: phase["device_ns"]["mean"] for phase in run.report(*options)["phases"]}


def test_updates_inside_backward_are_marked(runs_of):
    expected = device_times(runs_of("updated_one_by_one")["recorded"], *STEPS)
    found = device_times(runs_of("updated_in_backward")["recorded"], *STEPS)
    assert expected["optim_step"] > 0.3 * expected["total"], "the scenario does not do what it should"
    for phase in ("h2d", "forward", "backward", "optim_step"):
        assert found[phase] == pytest.approx(expected[phase], abs=0.01 * expected["total"]), phase


def test_without_marks_they_count_as_backward(runs_of):
    """As docs/what-fools-inference.md says."""
    found = device_times(runs_of("updated_in_backward").without_marks())
    assert found["optim_step"] is None or found["optim_step"] < 0.01 * found["total"]
