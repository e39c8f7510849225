"""Each program's steps, by its own count, are in the report; a window holds exactly the wanted ones."""

import pytest

from counted_steps import CountedSteps, faults_of_window
from scenario_table import PROGRAMS
from test_scenarios import each_of

FIRST, COUNT = 3, 4


@each_of(PROGRAMS)
def test_the_report_has_the_steps_that_the_program_counts(runs_of, name):
    runs = runs_of(name)
    run = runs["recorded"]
    assert run.status == 0, run.errors
    assert f"trained {runs.scenario.steps} steps" in run.output
    counted = CountedSteps(runs, "recorded")
    assert len(counted.logs) == max(1, runs.scenario.ranks)
    assert set(counted.by_program.values()) == {runs.scenario.steps}
    assert counted.in_report == counted.by_program, counted.reported
    assert counted.origins == {"pytorch"}


@each_of(PROGRAMS)
def test_a_window_has_the_wanted_steps_and_at_most_one_round_more(runs_of, name):
    run = runs_of(name).of_a_window(FIRST, COUNT)
    assert run.status == 0, run.errors
    assert not faults_of_window(CountedSteps(runs_of(name), f"window{FIRST}+{COUNT}"), FIRST, COUNT)


@pytest.mark.full
@each_of(PROGRAMS)
def test_a_window_may_start_with_the_first_step(runs_of, name):
    run = runs_of(name).of_a_window(0, COUNT)
    assert run.status == 0, run.errors
    assert not faults_of_window(CountedSteps(runs_of(name), f"window0+{COUNT}"), 0, COUNT)
