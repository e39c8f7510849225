"""Each program's steps, by its own count, are in the report; a window holds exactly the wanted ones."""

import pytest

from counted_steps import CountedSteps, faults_of_window
from known_faults import KNOWN_FAULTS
from scenario_runs import window_name
from scenario_table import PROGRAMS
from test_scenarios import marks_of

FIRST, COUNT = 3, 4


def each_program(what):
    def marks(scenario):
        fault = KNOWN_FAULTS.get((scenario.name, what))
        known = [pytest.mark.xfail(reason=fault[0], strict=fault[1])] if fault else []
        return marks_of(scenario) + known

    return pytest.mark.parametrize("name", [pytest.param(scenario.name, marks=marks(scenario))
                                            for scenario in PROGRAMS])


@each_program("steps")
def test_the_report_has_the_steps_that_the_program_counts(runs_of, name):
    runs = runs_of(name, (FIRST, COUNT))
    run = runs["recorded"]
    assert run.status == 0, run.errors
    assert f"trained {runs.scenario.steps} steps" in run.output
    counted = CountedSteps(runs, "recorded")
    assert len(counted.logs) == max(1, runs.scenario.ranks)
    assert set(counted.by_program.values()) == {runs.scenario.steps}
    assert counted.in_report == counted.by_program, counted.reported
    assert counted.origins == {"pytorch"}


def check_window(runs, first):
    run = runs.of_a_window(first, COUNT)
    assert run.status == 0, run.errors
    counted = CountedSteps(runs, window_name(first, COUNT))
    assert not faults_of_window(counted, CountedSteps(runs, "recorded"), first, COUNT)


@each_program("window")
def test_a_window_has_the_wanted_steps_and_at_most_one_round_more(runs_of, name):
    check_window(runs_of(name), FIRST)


@pytest.mark.full
@each_program("first window")
def test_a_window_may_start_with_the_first_step(runs_of, name):
    check_window(runs_of(name), 0)
