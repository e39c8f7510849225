"""Jobs in which every rank does the same work: nobody is blamed, whatever the job looks like."""

import pytest

from recorded_job import Job, Verdict, on_two_hosts, record
from tiers import two_tiers

CLEAN = {
    "data parallel": Job(),
    "two ranks": Job(ranks=2),
    "no overlap": Job("--one-bucket"),
    "hosts that run ahead": Job("--loss-every 0"),
    "accumulation without exchange": Job("--micro-batches 3", "time_scale=6"),
    "accumulation with exchange": Job("--micro-batches 3 --sync-every-micro-batch", "time_scale=6"),
    "graphs": Job("--graph"),
    "sharded": Job("--zero"),
    "tensor groups": Job("--tensor 2"),
    "pipeline of equal stages": Job("--pipeline 2 --micro-batches 4 --vocabulary 64", "time_scale=8"),
    "experts": Job("--experts"),
    "everything waits": Job("--sync-every-layer --sync-every-step --barrier-every-step --clip 1 --clip-reads-norm"),
    "loaders, logs, checkpoints": Job("--loader-ms 20 --loader-spike-ms 60 --log-every 3 --checkpoint-every 4 "
                                      "--eval-every 4"),
    "unfused, sliced, pageable": Job("--unfused-optimizer --slices 4 --pageable --scratch pool"),
}

IN_EVERY_RUN = {"data parallel", "hosts that run ahead", "pipeline of equal stages", "tensor groups", "experts",
                "everything waits"}


@pytest.mark.parametrize("case", two_tiers(CLEAN, IN_EVERY_RUN.__contains__))
def test_a_clean_run_blames_nobody(recorder, tmp_path, case):
    run = record(recorder, CLEAN[case])
    assert Verdict(run).unjust() == []
    if CLEAN[case].ranks > 2:
        assert Verdict(on_two_hosts(run, tmp_path / "two-hosts")).unjust() == []
