"""Who is to blame where a job hangs, from the logs that it leaves, and while it still runs."""

import json
import time

import pytest
from recorded_run import fault_program, tauprof

RANKS, CULPRIT, HARMLESS = 3, 1, 5
# The recorder gives a sign of life every second, and a rank that has given none for 2.5 s is silent.
UNTIL_SEEN_S = 4.5

REASONS = {"never": "elsewhere", "operation": "different_call", "count": "different_call", "kill": "silent",
           "stop": "silent"}


class StuckJob:
    """A job of which one rank misbehaves; `report()` while it runs, or after `kill()`."""

    def __init__(self, recorder, what):
        self.process, self.logs, _ = recorder.start([fault_program("stuck_job"), str(RANKS), str(CULPRIT), what],
                                                    options="devices=4")
        assert self.process.stdout.readline() == "stuck\n"
        time.sleep(UNTIL_SEEN_S)

    def report(self):
        return report_of(self.logs)

    def kill(self):
        self.process.kill()
        self.process.communicate()


def report_of(logs):
    done = tauprof("analyze", str(logs), "--json", "-")
    assert done.returncode == 0, done.stderr
    return json.loads(done.stdout)


@pytest.fixture
def start(recorder):
    jobs = []

    def begin(what):
        jobs.append(StuckJob(recorder, what))
        return jobs[-1]

    yield begin
    for job in jobs:
        job.kill()


def text_of(logs):
    return tauprof("analyze", str(logs)).stdout


def check(progress, what):
    assert progress["state"] == "stuck"
    assert progress["suspects"] == [{"rank": CULPRIT, "reason": REASONS[what]}]
    [communicator] = [row for row in progress["communicators"] if row["waiting"]]
    assert communicator["completed_by_all"] == HARMLESS
    waiting = communicator["waiting"]
    others = [rank for rank in range(RANKS) if rank != CULPRIT]
    assert (waiting["sequence"], waiting["op"], waiting["dtype"], waiting["count"]) == (
        HARMLESS + 1, "all_reduce", "float", 4096)
    assert waiting["entered"] == others
    assert waiting["waited_ns"] > 2e9
    different = {"operation": [{"rank": CULPRIT, "op": "broadcast", "dtype": "float", "count": 4096, "root": 0}],
                 "count": [{"rank": CULPRIT, "op": "all_reduce", "dtype": "float", "count": 2048, "root": None}]}
    assert waiting["different"] == different.get(what, [])
    assert waiting["not_entered"] == ([] if what in different else [CULPRIT])
    ranks = {row["rank"]: row for row in progress["ranks"]}
    for rank in others:
        assert (ranks[rank]["call"], ranks[rank]["in_call"]) == ("cudaStreamSynchronize", True)
        assert ranks[rank]["doing_for_ns"] > 2e9 and not ranks[rank]["silent"]
    assert ranks[CULPRIT]["silent"] == (REASONS[what] == "silent")


@pytest.mark.parametrize("what", REASONS)
def test_the_culprit_is_named_while_the_job_hangs_and_when_it_was_killed(start, what):
    job = start(what)
    while_it_runs = job.report()
    check(while_it_runs["progress"], what)
    assert f"rank {CULPRIT}" in next(finding["title"].lower() for finding in while_it_runs["findings"]
                                     if finding["id"] == "hang")
    job.kill()
    check(job.report()["progress"], what)
    assert "PROGRESS" in text_of(job.logs)


def test_a_rank_without_a_log_is_named(start):
    job = start("never")
    job.kill()
    for log in job.logs.glob("*.tauprof"):
        if report_of(log)["per_rank"][0]["rank"] == CULPRIT:
            log.unlink()
    progress = job.report()["progress"]
    assert progress["suspects"] == [{"rank": CULPRIT, "reason": "no_log"}]
    [communicator] = [row for row in progress["communicators"] if row["waiting"]]
    assert communicator["waiting"]["members_without_log"] == 1
    assert communicator["waiting"]["not_entered"] == []


def test_a_job_that_ends_hangs_nowhere(recorder):
    run = recorder.run([fault_program("stuck_job"), str(RANKS), str(CULPRIT), "none"], options="devices=4")
    assert run.status == 0
    report = run.report()
    assert report["progress"]["state"] == "finished"
    assert report["progress"]["suspects"] == []
    assert all(row["waiting"] is None for row in report["progress"]["communicators"])
    assert report["mismatches"] == []
    assert "PROGRESS" not in text_of(run.logs)
