"""Every kind of straggler in recorded jobs: always, now and then, in turns, two at once; with one clock and with two.

Rank and cause must be right in each.
"""

import pytest

from recorded_job import Job, Verdict, on_two_hosts, record

# What a rank whose CPU is shared takes longer for.
WORK = "--host-work 0:20,1:20,2:20,3:20"

# Windows of the simulator are in seconds from a process's first CUDA call; about one passes until the first step.
KINDS = {
    "slow compute": {
        "always": Job(options="slow=1:1.3"),
        "now and then": Job(options="slow=3:1.8:2.6:0.8"),
        "in turns": Job(options="slow=1:1.5:0:1:2,slow=2:1.5:1:1:2"),
    },
    "more compute": {
        "always": Job("--slow-rank 1:30"),
        "now and then": Job("--slow-rank 3:80:5:4"),
        "in turns": Job("--slow-rank 1:60:2,2:60:2:1"),
    },
    "data wait": {
        "always": Job("--loader-on-main-thread --data-stall 1:90"),
        "now and then": Job("--loader-on-main-thread --data-stall 3:200:5:4"),
        "in turns": Job("--loader-on-main-thread --data-stall 1:120:2,2:120:2:1"),
    },
    "host stall": {
        "always": Job("--host-stall 1:90"),
        "now and then": Job("--host-stall 3:200:5:4"),
        "in turns": Job("--host-stall 1:120:2,2:120:2:1"),
    },
    "host sync": {
        "always": Job("--layer-sync 1:10"),
        "now and then": Job("--layer-sync 3:25:5:4"),
        "in turns": Job("--layer-sync 1:15:2,2:15:2:1"),
    },
    "slow link": {
        "always": Job("--tensor 2", "slow_link=3:6"),
        "now and then": Job("--tensor 2", "time_scale=30,slow_link=3:8:2.5:1"),
        "in turns": Job("--tensor 2", "time_scale=30,slow_link=0:8:0:1.5:3,slow_link=3:8:1.5:1.5:3"),
    },
    "throttled": {
        "always": Job(options="throttle=1:0:1000:1.3"),
        "now and then": Job(options="throttle=3:2.6:1:1.8"),
        "in turns": Job(options="throttle=1:0:1:1.5:2,throttle=2:1:1:1.5:2"),
    },
    "cpu contention": {
        "always": Job(f"{WORK} --hog-cpu 1:2"),
        "now and then": Job(f"{WORK} --hog-cpu 3:2:5:4"),
        "in turns": Job(f"{WORK} --hog-cpu 1:2:2,2:2:2:1"),
    },
}
CULPRITS = {"always": (1,), "now and then": (3,), "in turns": (1, 2)}
SLOW_LINK = {"always": (3,), "now and then": (3,), "in turns": (0, 3)}
# Whether a culprit is one in most steps. Of two that take turns either may be; and in which steps a shared CPU bites is
# the kernel's decision.
IS_PERSISTENT = {"always": True, "now and then": False}

TWO_KINDS = {
    "slow compute and host stall": (Job("--host-stall 3:90", "slow=1:1.4"), {1: "slow_compute", 3: "host_stall"}),
    "more compute and data wait": (Job("--loader-on-main-thread --slow-rank 2:40 --data-stall 0:90"),
                                   {2: "more_compute", 0: "data_wait"}),
    "throttled and host stall": (Job("--host-stall 0:120", "throttle=1:0:1000:1.4"), {1: "throttled", 0: "host_stall"}),
    "slow compute twice": (Job(options="slow=0:1.3,slow=3:1.3"), {0: "slow_compute", 3: "slow_compute"}),
    "host stall twice": (Job("--host-stall 1:90,2:90"), {1: "host_stall", 2: "host_stall"}),
}

CASES = {f"{kind}, {when}": (job, {rank: kind.replace(" ", "_") for rank in
                                   (SLOW_LINK if kind == "slow link" else CULPRITS)[when]},
                             None if kind == "cpu contention" else IS_PERSISTENT.get(when))
         for kind, times in KINDS.items() for when, job in times.items()}
CASES |= {name: (job, culprits, True) for name, (job, culprits) in TWO_KINDS.items()}


def judge(verdict, culprits, is_persistent):
    assert verdict.first(culprits) == culprits, verdict.found
    assert verdict.unjust(culprits) == []
    for row in verdict.found[:len(culprits)]:
        assert is_persistent is None or row["persistent"] == is_persistent, row
        assert row["throttle_reasons"] == (["sw_thermal_slowdown"] if culprits[row["rank"]] == "throttled" else []), row


@pytest.mark.parametrize("case", CASES)
def test_culprits_stand_first_with_their_causes(recorder, tmp_path, case):
    job, culprits, is_persistent = CASES[case]
    run = record(recorder, job)
    judge(Verdict(run), culprits, is_persistent)
    judge(Verdict(on_two_hosts(run, tmp_path / "two-hosts")), culprits, is_persistent)
