"""Steps and host phases of the report, compared with the time stamps that the script wrote in the same run.

PyTorch's marks tell both. The log cannot know the start of the first step (the time before its first call may be
set-up) nor the end of the last, so only the steps between them count.
"""

import statistics

import pytest

from scenario_table import LOOPS, SCENARIOS
from stamped_phases import StampedRun
from test_scenarios import STEPS, each_of

PHASES = ("dataload_wait", "h2d", "forward", "backward", "unscale_clip", "optim_step", "zero_grad_sched", "sync_gather",
          "other")
OF_A_STEP = 0.01
LEAST_NS = 100_000

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
        self.stamps = StampedRun(self.lines)

    def report(self, first, last):
        """Mean host times of these steps; the report numbers the steps that it finds from 0."""
        report = self.run.report("--ranks", str(self.rank), "--steps", f"{first - 1}:{last - 1}")
        return {phase["name"]: phase["host_ns"]["mean"] for phase in report["phases"]}

    def usual_step(self):
        return statistics.median(self.stamps.duration(step) for step in WHOLE)

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

        Of the median step, because a busy host may take the processor away from the main thread at any time. What the
        script did not stamp is no difference.
        """
        pairs = [(self.joined(self.report(step, step)), self.joined(stamped), stamped[None])
                 for step in WHOLE for stamped in [self.stamps.phases(step)]]
        return {phase: statistics.median(difference(reported[phase], stamped[phase], unstamped)
                                         for reported, stamped, unstamped in pairs) for phase in pairs[0][0]}


def difference(reported, stamped, unstamped):
    return min(0, reported - stamped) + max(0, reported - stamped - unstamped)


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
    assert (steps["origin"], steps["confidence"]) == ("pytorch", 1)


@pytest.mark.host_times
@timed
def test_steps_have_the_durations_stamped_by_the_script(runs_of, name):
    for rank in ranks_of(runs_of(name)):
        for step in WHOLE:
            expected = rank.stamps.duration(step)
            of_two_bounds = 2 * LEAST_NS
            assert rank.report(step, step)["total"] == pytest.approx(expected, rel=OF_A_STEP, abs=of_two_bounds), (
                rank.rank, step)


@pytest.mark.host_times
@timed
def test_phases_have_the_durations_stamped_by_the_script(runs_of, name):
    wrong = []
    for rank in ranks_of(runs_of(name)):
        step = rank.usual_step()
        most = max(LEAST_NS, OF_A_STEP * step)
        wrong += [f"rank {rank.rank} {phase}: {off / 1e3:+.0f} us, {off / step:+.1%} of a step of {step / 1e3:.0f} us"
                  for phase, off in rank.differences().items() if abs(off) > most]
    assert not wrong, "\n".join(wrong)


def differences_of_waits(rank):
    step = rank.usual_step()
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
