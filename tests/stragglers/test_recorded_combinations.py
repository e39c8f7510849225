"""Stragglers in recorded jobs beyond the plain matrix: groups, pipelines, checkpoints, evaluations, graphs."""

import pytest

from recorded_job import Job, Verdict, on_two_hosts, record
from tiers import two_tiers

CASES = {
    "slow in one tensor group": (Job("--tensor 2", "slow=2:1.3"), {2: "slow_compute"}),
    "slow in one tensor group, more compute in the other": (Job("--tensor 2 --slow-rank 1:40", "slow=2:1.5"),
                                                            {2: "slow_compute", 1: "more_compute"}),
    "a stall in a pipeline": (Job("--pipeline 2 --micro-batches 4 --vocabulary 64 --host-stall 2:120", "time_scale=8"),
                              {2: "host_stall"}),
    "slow in a pipeline": (Job("--pipeline 2 --micro-batches 4 --vocabulary 64", "time_scale=8,slow=2:1.4"),
                           {2: "slow_compute"}),
    "slow in the only pipeline": (Job("--pipeline 4 --micro-batches 6 --vocabulary 64 --layers 8",
                                      "time_scale=6,slow=2:1.5"), {2: "slow_compute"}),
    "a long stage": (Job("--pipeline 4 --micro-batches 6 --vocabulary 64 --layers 9 --stage-layers 2,2,3,2",
                         "time_scale=6"), {2: "more_compute"}),
    "a slow shard": (Job("--zero", "slow=3:1.3"), {3: "slow_compute"}),
    "slow under graphs": (Job("--graph", "slow=1:1.3"), {1: "slow_compute"}),
    "a stall under graphs": (Job("--graph --host-stall 1:90"), {1: "host_stall"}),
    "slow, gradients exchanged after backward": (Job("--one-bucket", "slow=2:1.3"), {2: "slow_compute"}),
    "slow, gradients exchanged on the compute stream": (Job("--collectives-on-compute-stream", "slow=2:1.3"),
                                              {2: "slow_compute"}),
    "slow, gradients accumulated": (Job("--micro-batches 3", "time_scale=6,slow=2:1.3"), {2: "slow_compute"}),
    "a loader too slow for its job": (Job("--prefetch 1 --data-stall 2:420"), {2: "data_wait"}),
    "loaders that stall alternately, now and then": (
        Job("--loader-on-main-thread --data-stall 1:200:8:2,3:200:8:6", steps=14), {1: "data_wait", 3: "data_wait"}),
    "a rank that saves checkpoints": (Job("--checkpoint-every 2 --checkpoint-rank 0"), {0: "host_sync"}),
    "a rank that evaluates": (Job("--eval-every 2 --eval-rank 0 --eval-batches 1"), {0: "more_compute"}),
    "a busy host": (Job("--loss-every 0 --host-work 2:400", steps=8), {2: "host_launch"}),
    "a busy host after a wait for the device": (Job("--host-work 2:90"), {2: "host_launch"}),
    "experts out of balance": (Job("--experts --expert-imbalance 3"), {0: "more_tokens"}),
}

IN_EVERY_RUN = {"slow in one tensor group, more compute in the other", "a stall in a pipeline", "a stall under graphs",
                "experts out of balance"}


@pytest.mark.parametrize("case", two_tiers(CASES, IN_EVERY_RUN.__contains__))
def test_culprits_come_first_with_their_causes(recorder, tmp_path, case):
    job, culprits = CASES[case]
    run = record(recorder, job)
    for recorded in (run, on_two_hosts(run, tmp_path / "two-hosts")):
        verdict = Verdict(recorded)
        assert verdict.first(culprits) == culprits, verdict.found
        assert verdict.unjust(culprits) == []
