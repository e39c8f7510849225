"""Steps and host phases of the report, held against the time stamps that the script of the same run wrote itself.

stamped_phases.py says how the stamps are read. The first step has no begin that the log could know (what lies before
its first call may be set-up), the last no end: those between count.
"""

import statistics

import pytest

from scenario_table import LOOPS, SCENARIOS
from stamped_phases import StampedRun
from test_scenarios import STEPS, each_of

PHASES = ("dataload_wait", "h2d", "forward", "backward", "unscale_clip", "optim_step", "zero_grad_sched", "sync_gather",
          "other")
OF_A_STEP = 0.02

WHOLE = range(2, STEPS)  # as the scripts count them, from 1

# A profiler inside the program works in its steps, too, where nobody stamps it.
timed = each_of(scenario for scenario in SCENARIOS + LOOPS if not scenario.profiles_itself)


class ReportedRank:
    """A rank of the recorded run. Steps are counted from 1, as the scripts do."""

    def __init__(self, runs, log):
        self.run = runs["recorded"]
        self.rank = max(0, log.rows["process"][0]["rank"])
        self.together = runs.scenario.seen_as_one
        self.lines = runs.phases(self.rank)
        self.stamps = StampedRun(self.lines, log)

    def report(self, first, last):
        """Mean host times of these steps; steps that were found are numbered from 0."""
        report = self.run.report("--ranks", str(self.rank), "--steps", f"{first - 1}:{last - 1}")
        return {phase["name"]: phase["host_ns"]["mean"] for phase in report["phases"]}

    def waits(self):
        """(for data, the whole step) of each step, as stamped, whatever cannot be seen around it."""
        waits, steps = dict.fromkeys(WHOLE, 0), {}
        for line in self.lines:
            length = line["end_ns"] - line["begin_ns"]
            if line["phase"] == "dataload_wait" and line["step"] in waits:
                waits[line["step"]] += length
            elif line["phase"] == "step":
                steps[line["step"]] = length
        return {number: (wait, steps[number]) for number, wait in waits.items()}

    def joined(self, times):
        """{phases: time}, those together between which nothing tells."""
        times = {phase: times.get(phase) or 0 for phase in PHASES}
        together = sum(times.pop(phase) for phase in self.together)
        return {**times, **({"+".join(self.together): together} if self.together else {})}

    def differences(self):
        """{phases: how much more time of a step is reported for them than stamped}

        What most steps have is judged by the median step: where a busy host takes the processor away from the main
        thread, nothing tells in which phase that was (docs/phases.md). The rest, as evaluations, by the mean.
        """
        pairs = [(self.joined(self.report(step, step)), self.joined(self.stamps.phases(step, step)[0]))
                 for step in WHOLE]
        found = {}
        for phase in pairs[0][0]:
            differences = [reported[phase] - stamped[phase] for reported, stamped in pairs]
            is_usual = statistics.median(stamped[phase] for _, stamped in pairs) > 0
            found[phase] = statistics.median(differences) if is_usual else statistics.fmean(differences)
        return found


def ranks_of(runs):
    recorded = runs["recorded"]
    assert recorded.status == 0, recorded.errors
    ranks = [ReportedRank(runs, log) for log in recorded.read_logs()]
    assert len(ranks) == max(1, runs.scenario.ranks)
    return ranks


@each_of(SCENARIOS + LOOPS)
def test_as_many_steps_are_found_as_there_were(runs_of, name):
    steps = runs_of(name)["recorded"].report()["steps"]
    assert steps["count"] + steps["warmup"] == STEPS, steps["reason"]


@pytest.mark.host_times
@timed
def test_steps_are_those_of_the_script(runs_of, name):
    for rank in ranks_of(runs_of(name)):
        for step in WHOLE:
            expected = rank.stamps.begins(step + 1) - rank.stamps.begins(step)
            assert rank.report(step, step)["total"] == pytest.approx(expected, rel=OF_A_STEP), (rank.rank, step)


@pytest.mark.host_times
@timed
def test_phases_are_those_of_the_script(runs_of, name):
    wrong = []
    for rank in ranks_of(runs_of(name)):
        stamped, step = rank.stamps.phases(WHOLE[0], WHOLE[-1])
        for phase, difference in rank.differences().items():
            if abs(difference) > OF_A_STEP * step:
                wrong.append(f"rank {rank.rank} {phase}: {difference / 1e3:+.0f} us, {difference / step:+.1%}"
                             f" of a step of {step / 1e3:.0f} us; stamped {rank.joined(stamped)[phase] / 1e3:.0f} us")
    assert not wrong, "\n".join(wrong)


def differences_of_waits(rank):
    _, step = rank.stamps.phases(WHOLE[0], WHOLE[-1])
    return [(rank.report(number, number)["dataload_wait"] - wait) / step for number, (wait, _) in rank.waits().items()]


# They sleep, or compute, for most of a step: a busy machine adds to that, or little.
@pytest.mark.host_times
@pytest.mark.parametrize("name", ["slow_collate", "four_workers_slow_data"])
def test_the_loader_is_the_bottleneck(runs_of, name):
    [rank] = ranks_of(runs_of(name))
    waits, steps = zip(*rank.waits().values())
    assert sum(waits) > 0.5 * sum(steps), "the scenario is not what it is meant to be"
    assert abs(statistics.median(differences_of_waits(rank))) <= OF_A_STEP


# Their devices are so slow that the host waits for them. Every third step of the first one waits for new workers, too.
@pytest.mark.host_times
@pytest.mark.parametrize("name, most", [("four_workers", 0.1), ("blocking_copies", 0.3)])
def test_the_loader_is_no_bottleneck(runs_of, name, most):
    [rank] = ranks_of(runs_of(name))
    waits, steps = zip(*rank.waits().values())
    assert statistics.median(waits) < most * statistics.median(steps), "the scenario is not what it is meant to be"
    assert abs(statistics.median(differences_of_waits(rank))) <= OF_A_STEP


# Of one rank: how long ranks wait for each other differs from run to run.
@each_of(scenario for scenario in SCENARIOS if scenario.ranks == 0 and not scenario.profiles_itself)
def test_without_stamps_the_device_works_as_long_for_each_phase(runs_of, name):
    """The run with stacks has none. Host times of two runs differ by their noise; the simulated device's do not."""
    with_stamps, without = (
        {phase["name"]: phase["device_ns"]["mean"] for phase in runs_of(name)[way].report("--steps", "1:10")["phases"]}
        for way in ("recorded", "stacks"))
    for phase in PHASES:
        assert with_stamps[phase] == pytest.approx(without[phase], abs=OF_A_STEP * without["total"]), phase
