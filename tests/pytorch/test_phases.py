"""Steps and host phases of the report, compared with the time stamps that the script wrote in the same run.

stamped_phases.py says how the stamps are read. The log cannot know the start of the first step (the time before its
first call may be set-up) nor the end of the last, so only the steps between them count.
"""

import statistics

import pytest

from scenario_table import LOOPS, SCENARIOS
from stamped_phases import StampedRun
from test_scenarios import STEPS, each_of

PHASES = ("dataload_wait", "h2d", "forward", "backward", "unscale_clip", "optim_step", "zero_grad_sched", "sync_gather",
          "other")
OF_A_STEP = 0.02

WHOLE = range(2, STEPS)  # numbered from 1, as in the scripts

# A profiler inside the program also works during steps, without stamps.
timed = each_of(scenario for scenario in SCENARIOS + LOOPS if not scenario.profiles_itself)


class ReportedRank:
    """A rank of the recorded run. Steps are numbered from 1, as in the scripts."""

    def __init__(self, runs, log):
        self.run = runs["recorded"]
        self.rank = max(0, log.rows["process"][0]["rank"])
        self.together = runs.scenario.seen_as_one
        self.lines = runs.phases(self.rank)
        self.stamps = StampedRun(self.lines, log)

    def report(self, first, last):
        """Mean host times of these steps; the report numbers the steps that it finds from 0."""
        report = self.run.report("--ranks", str(self.rank), "--steps", f"{first - 1}:{last - 1}")
        return {phase["name"]: phase["host_ns"]["mean"] for phase in report["phases"]}

    def waits(self):
        """{step: (stamped wait for data, stamped duration)}"""
        waits, steps = dict.fromkeys(WHOLE, 0), {}
        for line in self.lines:
            length = line["end_ns"] - line["begin_ns"]
            if line["phase"] == "dataload_wait" and line["step"] in waits:
                waits[line["step"]] += length
            elif line["phase"] == "step":
                steps[line["step"]] = length
        return {number: (wait, steps[number]) for number, wait in waits.items()}

    def joined(self, times):
        """{phase: time}, with the phases that cannot be told apart as one."""
        times = {phase: times.get(phase) or 0 for phase in PHASES}
        together = sum(times.pop(phase) for phase in self.together)
        return {**times, **({"+".join(self.together): together} if self.together else {})}

    def differences(self):
        """{phase: reported less stamped time of a step}

        Phases that most steps have are judged by the median step, because the time in which a busy host takes the
        processor away from the main thread belongs to no particular phase (docs/phases.md). Others, such as
        evaluations, are judged by the mean.
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


# A scenario that profiles itself leaves a gap in the log: see test_torch_profiler.py.
@timed
def test_all_steps_are_found(runs_of, name):
    steps = runs_of(name)["recorded"].report()["steps"]
    assert steps["count"] + steps["warmup"] == STEPS, steps["reason"]


@pytest.mark.host_times
@timed
def test_steps_have_the_durations_stamped_by_the_script(runs_of, name):
    for rank in ranks_of(runs_of(name)):
        for step in WHOLE:
            expected = rank.stamps.start_of(step + 1) - rank.stamps.start_of(step)
            assert rank.report(step, step)["total"] == pytest.approx(expected, rel=OF_A_STEP), (rank.rank, step)


@pytest.mark.host_times
@timed
def test_phases_have_the_durations_stamped_by_the_script(runs_of, name):
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


# These loaders sleep, or compute, for most of a step, so a busy machine changes little.
@pytest.mark.host_times
@pytest.mark.parametrize("name", ["slow_collate", "four_workers_slow_data"])
def test_a_slow_loader_is_the_bottleneck(runs_of, name):
    [rank] = ranks_of(runs_of(name))
    waits, steps = zip(*rank.waits().values())
    assert sum(waits) > 0.5 * sum(steps), "the scenario does not do what it should"
    assert abs(statistics.median(differences_of_waits(rank))) <= OF_A_STEP


# Slow devices, for which the host waits. Every third step of the first scenario also waits for new workers.
@pytest.mark.host_times
@pytest.mark.parametrize("name, most", [("four_workers", 0.1), ("blocking_copies", 0.3)])
def test_a_fast_loader_is_not_the_bottleneck(runs_of, name, most):
    [rank] = ranks_of(runs_of(name))
    waits, steps = zip(*rank.waits().values())
    assert statistics.median(waits) < most * statistics.median(steps), "the scenario does not do what it should"
    assert abs(statistics.median(differences_of_waits(rank))) <= OF_A_STEP


# Of one rank only: how long ranks wait for each other differs from run to run.
@each_of(scenario for scenario in SCENARIOS if scenario.ranks == 0 and not scenario.profiles_itself)
def test_device_times_of_phases_are_the_same_without_stamps(runs_of, name):
    """The run with stacks has no stamps. Host times differ between runs by noise; simulated device times do not."""
    with_stamps, without = (
        {phase["name"]: phase["device_ns"]["mean"] for phase in runs_of(name)[way].report("--steps", "1:10")["phases"]}
        for way in ("recorded", "stacks"))
    for phase in PHASES:
        assert with_stamps[phase] == pytest.approx(without[phase], abs=OF_A_STEP * without["total"]), phase
