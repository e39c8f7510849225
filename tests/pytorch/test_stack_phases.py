"""Phases by the functions on the stack: updates that a hook makes inside of the backward pass."""

import pytest

STEPS = "1:10"


def device_times(run):
    """Of a mean step, which the simulated device makes as long in every run."""
    return {phase["name"]: phase["device_ns"]["mean"] for phase in run.report("--steps", STEPS)["phases"]}


def test_updates_in_backward_are_updates(runs_of):
    expected = device_times(runs_of("updated_one_by_one")["recorded"])
    found = device_times(runs_of("updated_in_backward").with_all_stacks())
    assert expected["optim_step"] > 0.3 * expected["total"], "the scenario is not what it is meant to be"
    for phase in ("h2d", "forward", "backward", "optim_step"):
        assert found[phase] == pytest.approx(expected[phase], abs=0.01 * expected["total"]), phase


def test_without_stacks_they_are_backward(runs_of):
    """What docs/phases.md says of them."""
    found = device_times(runs_of("updated_in_backward")["recorded"])
    assert found["optim_step"] is None or found["optim_step"] < 0.01 * found["total"]
