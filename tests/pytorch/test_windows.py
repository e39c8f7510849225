"""TAUPROF_START_STEP and TAUPROF_STEPS: the report has the steps with the script's own numbers, whatever the loop."""

import pytest

from scenario_runs import window_name
from scenario_table import GRAPHS, LOOPS, SCENARIOS
from test_scenarios import each_of

FIRST, COUNT = 5, 3
# A plain optimizer, evaluations, autocast with clipping, ranks that accumulate, an optimizer's closure, alternating
# updates of two optimizers, averages after the update, and steps that are graphs.
NAMES = ("mlp", "transformer", "bf16_autocast", "ddp_2_ranks", "closure", "two_optimizers", "averaged_weights_plain")


@each_of(scenario for scenario in SCENARIOS + LOOPS + GRAPHS
         if scenario.name in NAMES or scenario in GRAPHS)
def test_the_wanted_steps_are_reported(runs_of, name):
    runs = runs_of(name)
    run = runs.of_a_window(FIRST, COUNT)
    assert run.status == 0, run.errors
    steps = run.report()["steps"]
    assert steps["warmup"] + steps["count"] == COUNT, steps["reason"]
    for log in run.read_logs():
        rank = max(0, log.rows["process"][0]["rank"])
        stamped = {line["step"] - 1: line for line in runs.phases(rank, window_name(FIRST, COUNT)) if line["phase"] == "step"}
        starts = {row["step"]: row["time"] for row in log.rows["seen_step"]}
        assert set(range(FIRST, FIRST + COUNT)) <= set(starts)
        for number in range(FIRST, FIRST + COUNT):
            assert stamped[number]["begin_ns"] <= starts[number] <= stamped[number]["end_ns"], number


@each_of(GRAPHS)
def test_a_capture_is_not_a_step(runs_of, name):
    runs = runs_of(name)
    steps = runs["recorded"].report()["steps"]
    assert steps["warmup"] + steps["count"] == runs.scenario.steps, steps["reason"]
