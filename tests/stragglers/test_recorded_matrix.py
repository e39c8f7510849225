"""Every kind of straggler in recorded jobs: always, now and then, alternating, and two at once; on one clock and on two.

Rank and cause must be right in every case.
"""

import pytest

from recorded_job import Job, Verdict, exported_blame, on_two_hosts, record
from tiers import two_tiers

# The host work that takes longer where a rank's CPU is shared.
WORK = "--host-work 0:20,1:20,2:20,3:20"

# The simulator's windows are in seconds from a process's first CUDA call; the first step starts about one second in.
KINDS = {
    "slow compute": {
        "always": Job(options="slow=1:1.3"),
        "now and then": Job(options="slow=3:1.8:2.6:0.8"),
        "alternating": Job(options="slow=1:1.5:0:1:2,slow=2:1.5:1:1:2"),
    },
    "more compute": {
        "always": Job("--slow-rank 1:30"),
        "now and then": Job("--slow-rank 3:80:5:4"),
        "alternating": Job("--slow-rank 1:60:2,2:60:2:1"),
    },
    "data wait": {
        "always": Job("--loader-on-main-thread --data-stall 1:90"),
        "now and then": Job("--loader-on-main-thread --data-stall 3:200:5:4"),
        "alternating": Job("--loader-on-main-thread --data-stall 1:120:2,2:120:2:1"),
    },
    "host stall": {
        "always": Job("--host-stall 1:90"),
        "now and then": Job("--host-stall 3:200:5:4"),
        "alternating": Job("--host-stall 1:120:2,2:120:2:1"),
    },
    "host sync": {
        "always": Job("--layer-sync 1:10"),
        "now and then": Job("--layer-sync 3:25:5:4"),
        "alternating": Job("--layer-sync 1:15:2,2:15:2:1"),
    },
    "slow link": {
        "always": Job("--tensor 2", "slow_link=3:6"),
        "now and then": Job("--tensor 2", "time_scale=30,slow_link=3:8:2.5:1"),
        "alternating": Job("--tensor 2", "time_scale=30,slow_link=0:8:0:1.5:3,slow_link=3:8:1.5:1.5:3"),
    },
    "throttled": {
        "always": Job(options="throttle=1:0:1000:1.3"),
        "now and then": Job(options="throttle=3:2.6:1:1.8"),
        "alternating": Job(options="throttle=1:0:1:1.5:2,throttle=2:1:1:1.5:2"),
    },
    "cpu contention": {
        "always": Job(f"{WORK} --hog-cpu 1:2"),
        "now and then": Job(f"{WORK} --hog-cpu 3:2:5:4"),
        "alternating": Job(f"{WORK} --hog-cpu 1:2:2,2:2:2:1"),
    },
}
CULPRITS = {"always": (1,), "now and then": (3,), "alternating": (1, 2)}
SLOW_LINK = {"always": (3,), "now and then": (3,), "alternating": (0, 3)}
# Whether the culprit is persistent. Of two that alternate either may be, and the kernel decides in which steps a shared
# CPU matters.
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

# Every run has each kind once, and each way to come and go; two kinds at once are among the combinations.
IN_EVERY_RUN = {*(f"{kind}, always" for kind in KINDS), "slow compute, alternating", "host stall, now and then"}


def assert_exported_as_reported(run, folder):
    """Blame in the exported tables, of all waiting ranks together and one by one, sums to the report's."""
    found = {(row["rank"], cause): ns for row in Verdict(run).found for cause, ns in row["blamed_ns_by_cause"].items()}
    for name, options in (("together", []), ("by-waiting-rank", ["--steps", "0:"])):
        blame = exported_blame(run, folder / f"{name}.db", *options)
        assert {key: blame[key] for key in found} == pytest.approx(found, abs=1)


def judge(verdict, culprits, is_persistent):
    assert verdict.first(culprits) == culprits, verdict.found
    assert verdict.unjust(culprits) == []
    for row in verdict.found[:len(culprits)]:
        assert is_persistent is None or row["persistent"] == is_persistent, row
        assert row["throttle_reasons"] == (["sw_thermal_slowdown"] if culprits[row["rank"]] == "throttled" else []), row


@pytest.mark.parametrize("case", two_tiers(CASES, IN_EVERY_RUN.__contains__))
def test_culprits_come_first_with_their_causes(recorder, tmp_path, case):
    job, culprits, is_persistent = CASES[case]
    run = record(recorder, job)
    judge(Verdict(run), culprits, is_persistent)
    assert_exported_as_reported(run, tmp_path)
    judge(Verdict(on_two_hosts(run, tmp_path / "two-hosts")), culprits, is_persistent)
