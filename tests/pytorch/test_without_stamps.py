"""Stamping does not change the phases: without it, steps divide into the same phases.

Host times of two runs differ by more than stamps cost, so one long run stamps every other step. Which steps are stamped
changes after each dozen, so that work done every few steps is stamped half of the time. A step is compared with its
neighbour; phases that only some steps have, with the same step of the next dozen. The first dozen is left out, because
it includes set-up.

The time that stamping adds is the median over all pairs, which occasional stalls of the machine do not move. The pairs
also give the error of that median: it lies among the middle ones (the sign test).
"""

import json
import math
import statistics

import pytest

from recorded_run import tauprof
from test_phases import OF_A_STEP, PHASES, timed

DOZEN = 12
STEPS = 16 * DOZEN


class AlternatelyStampedSteps:
    """A rank's host times as shares of its usual step. Steps are numbered from 0."""

    def __init__(self, log_file, stamps):
        stamped = {line["step"] - 1 for line in stamps}
        self.is_stamped = [number in stamped for number in range(STEPS)]
        self.steps = [self.times(log_file, number) for number in range(STEPS)]
        usual = statistics.median(step["total"] for step in self.steps)
        self.steps = [{phase: time / usual for phase, time in step.items()} for step in self.steps]

    @staticmethod
    def times(log_file, number):
        done = tauprof("analyze", str(log_file), "--json", "-", "--steps", f"{number}:{number}")
        assert done.returncode == 0, done.stderr
        return {phase["name"]: phase["host_ns"]["mean"] or 0 for phase in json.loads(done.stdout)["phases"]}

    def is_usual(self, phase):
        return statistics.median(step[phase] for step in self.steps) > 0

    def pairs(self, phase):
        """[(step, step)] to compare; each step is in one pair."""
        steps = range(DOZEN, STEPS)
        if self.is_usual(phase):
            return list(zip(steps[::2], steps[1::2]))
        return [(step, step + DOZEN) for step in steps[:-DOZEN] if (step // DOZEN) % 2]

    def added(self, phase):
        """For each pair of steps with this phase: the stamped step's time less that of the other."""
        found = []
        for first, second in self.pairs(phase):
            assert self.is_stamped[first] != self.is_stamped[second]
            times = (self.steps[first][phase], self.steps[second][phase])
            if min(times) > 0:
                found.append(times[0] - times[1] if self.is_stamped[first] else times[1] - times[0])
        return found

    def frequency(self, phase):
        return statistics.fmean(step[phase] > 0 for step in self.steps[DOZEN:])


def middle(values):
    """(least, most): the 99 % confidence interval of the median of the values' distribution."""
    values = sorted(values)
    off = math.ceil(len(values) / 2 + 2.58 * math.sqrt(len(values)) / 2)
    return values[max(0, len(values) - off)], values[min(len(values), off) - 1]


@pytest.mark.host_times
@timed
def test_phases_are_the_same_without_stamps(runs_of, name):
    runs = runs_of(name)
    run = runs.with_alternating_stamps(STEPS, DOZEN)
    assert run.status == 0, run.errors
    ranks = [AlternatelyStampedSteps(log.path, runs.phases(max(0, log.rows["process"][0]["rank"]), "alternating"))
             for log in run.read_logs()]
    wrong = []
    for phase in PHASES:
        added = [pair for rank in ranks for pair in rank.added(phase)]
        if not added:
            continue
        least, most = (bound * max(rank.frequency(phase) for rank in ranks) for bound in middle(added))
        if least > OF_A_STEP or most < -OF_A_STEP:
            wrong.append(f"{phase}: stamped, {least:+.1%} to {most:+.1%} of a step more, by {len(added)} pairs")
    assert not wrong, "\n".join(wrong)
