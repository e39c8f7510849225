"""Who is to blame for a hanging job, according to its logs, while it hangs and after it was killed."""

import json
import shutil
import time

import pytest
from recorded_run import Recorder, fault_program, tauprof

RANKS, CULPRIT, HARMLESS, COUNT = 3, 1, 5, 4096
# The recorder writes a row every second, and a rank that has written none for 2.5 s is silent. Where processes wait long
# for a processor it takes longer.
UNTIL_SEEN_S, AT_MOST_S = 4.5, 90

# For each way to hang (programs/stuck_job.cpp): the suspects and the reasons.
SUSPECTS = {
    "never": {CULPRIT: "elsewhere"},
    "operation": {CULPRIT: "different_call"},
    "count": {CULPRIT: "different_call"},
    "kill": {CULPRIT: "silent"},
    "stop": {CULPRIT: "silent"},
    "kill_two": {CULPRIT: "silent", CULPRIT + 1: "silent"},
    "stop_ahead": {CULPRIT: "silent"},
    "kill_ahead": {CULPRIT: "silent"},
    "barrier": {CULPRIT: "elsewhere"},
    "pipeline": {CULPRIT: "elsewhere"},
    "message_count": {CULPRIT: "different_call", CULPRIT + 1: "different_call"},
    "sub": {CULPRIT: "elsewhere"},
    "graph": {CULPRIT: "elsewhere"},
    "order": {rank: "deadlock" for rank in range(2)},
    "init": {CULPRIT: "elsewhere"},
    "group_end": {CULPRIT: "elsewhere"},
}
# Whom only a rank delays that is alive: it may still come, as after a checkpoint.
ALIVE = {way for way, ranks in SUSPECTS.items() if set(ranks.values()) == {"elsewhere"}}
# The ways in which all wait in one collective of all ranks.
IN_ONE_COLLECTIVE = ("never", "operation", "count", "kill", "stop", "barrier", "graph")


def ranks_of(way):
    return {"kill_two": RANKS + 1, "order": 2}.get(way, RANKS)


def report_of(logs):
    done = tauprof("analyze", str(logs), "--json", "-")
    assert done.returncode == 0, done.stderr
    return json.loads(done.stdout)


class StuckJob:
    """A job that hangs. `while_running` and `afterwards` are its reports; its logs are kept."""

    def __init__(self, folder, way):
        folder.mkdir()
        command = [fault_program("stuck_job"), str(ranks_of(way)), str(CULPRIT), way]
        self.process, self.logs, _ = Recorder(folder).start(command, options="devices=4")

    def wait_until_stuck(self):
        assert self.process.stdout.readline() == "stuck\n", self.process.stderr.read()

    def look(self, suspects):
        give_up = time.monotonic() + AT_MOST_S
        while True:
            self.while_running = report_of(self.logs)
            progress = self.while_running["progress"]
            found = {row["rank"]: row["reason"] for row in progress["suspects"]}
            if (progress["state"], found) == ("stuck", suspects) or time.monotonic() > give_up:
                return
            time.sleep(0.5)

    def kill(self):
        self.process.kill()
        self.process.communicate()
        self.afterwards = report_of(self.logs)
        self.text = tauprof("analyze", str(self.logs), "--show", "all").stdout


@pytest.fixture(scope="module")
def jobs(tmp_path_factory):
    """Runs all jobs at once, because they do nothing most of the time."""
    folder = tmp_path_factory.mktemp("stuck")
    started = {way: StuckJob(folder / way, way) for way in SUSPECTS}
    try:
        for job in started.values():
            job.wait_until_stuck()
        time.sleep(UNTIL_SEEN_S)
        for way, job in started.items():
            job.look(SUSPECTS[way])
    finally:
        for job in started.values():
            job.kill()
    return started


def both_reports(job):
    return [job.while_running, job.afterwards]


@pytest.mark.parametrize("way", SUSPECTS)
def test_the_culprit_is_named_while_the_job_hangs_and_after_it_is_killed(jobs, way):
    for report in both_reports(jobs[way]):
        assert report["progress"]["state"] == "stuck"
        assert {row["rank"]: row["reason"] for row in report["progress"]["suspects"]} == SUSPECTS[way]
        finding = report["findings"][0]
        assert finding["id"] == "hang"
        assert finding["ranks"] == sorted(SUSPECTS[way])
        for rank in SUSPECTS[way]:
            assert str(rank) in finding["title"]


@pytest.mark.parametrize("way", SUSPECTS)
def test_a_job_hangs_only_if_nobody_alive_may_still_end_it(jobs, way):
    is_hang = way not in ALIVE
    for report in both_reports(jobs[way]):
        assert report["verdict"]["class"] == ("hang" if is_hang else "straggler")
        assert report["verdict"]["title"] == report["findings"][0]["title"]
        assert report["verdict"]["title"].startswith("The job hangs" if is_hang else "The job waits")
    assert f"PROGRESS   (the job {'hangs' if is_hang else 'waits'})" in jobs[way].text


def test_the_first_screen_ends_in_the_command_that_says_more(jobs):
    logs = str(jobs["stop"].logs)
    assert f"ask tauprof analyze {logs} --show hang " in " ".join(tauprof("analyze", logs).stdout.split())


@pytest.mark.parametrize("way", SUSPECTS)
def test_health_fails_if_the_job_hangs(jobs, way):
    done = tauprof("health", str(jobs[way].logs), "--json", "-")
    checks = {check["id"]: check["outcome"] for check in json.loads(done.stdout)["checks"]}
    assert checks["progress"] == ("unknown" if way in ALIVE else "fail")
    assert way in ALIVE or done.returncode == 5


@pytest.mark.parametrize("way", ["stop_ahead", "kill_ahead"])
def test_a_rank_that_has_launched_and_is_silent_has_not_come(jobs, way):
    others = [rank for rank in range(RANKS) if rank != CULPRIT]
    for report in both_reports(jobs[way]):
        [communicator] = report["progress"]["communicators"]
        assert (communicator["completed_by_all"], communicator["waiting"]["sequence"]) == (HARMLESS, HARMLESS + 1)
        assert communicator["stuck"] and communicator["waiting"]["entered"] == list(range(RANKS))
        assert report["findings"][0]["evidence"].startswith(f"ranks {others[0]}, {others[1]} have waited up to ")


@pytest.mark.parametrize("way", IN_ONE_COLLECTIVE)
def test_waiting_ranks_are_distinguished_from_those_that_do_not_wait(jobs, way):
    for report in both_reports(jobs[way]):
        progress = report["progress"]
        [communicator] = [row for row in progress["communicators"] if row["waiting"]]
        completed = HARMLESS + 2 if way == "graph" else HARMLESS  # the graph has two
        assert communicator["completed_by_all"] == completed
        waiting = communicator["waiting"]
        others = [rank for rank in range(RANKS) if rank != CULPRIT]
        assert (waiting["sequence"], waiting["op"], waiting["dtype"], waiting["count"]) == (
            completed + 1, "all_reduce", "float", 1 if way == "barrier" else COUNT)
        assert waiting["entered"] == others
        assert waiting["waited_ns"] > 2e9
        different = {"operation": ("broadcast", COUNT, 0), "count": ("all_reduce", COUNT // 2, None)}.get(way)
        assert [(row["rank"], row["op"], row["count"], row["root"]) for row in waiting["different"]] == (
            [(CULPRIT, *different)] if different else [])
        assert waiting["not_entered"] == ([] if different else [CULPRIT])
        ranks = {row["rank"]: row for row in progress["ranks"]}
        for rank in others:
            assert (ranks[rank]["call"], ranks[rank]["in_call"]) == ("cudaStreamSynchronize", True)
            assert ranks[rank]["doing_for_ns"] > 2e9 and not ranks[rank]["silent"]
        assert ranks[CULPRIT]["silent"] == (way in ("kill", "stop"))


def test_a_message_that_was_not_sent_is_reported_with_both_ranks(jobs):
    for report in both_reports(jobs["pipeline"]):
        messages = {(row["source"], row["destination"]): row for row in report["progress"]["messages"]}
        waiting = messages[CULPRIT, CULPRIT + 1]
        assert waiting["send"] is None
        assert (waiting["recv"]["count"], waiting["recv"]["dtype"]) == (COUNT, "float")
        assert waiting["waited_ns"] > 2e9
    assert f"rank {CULPRIT + 1} waits for rank {CULPRIT} to send it {COUNT} float" in jobs["pipeline"].text


def test_a_message_of_the_wrong_size_is_reported_with_both_sizes(jobs):
    for report in both_reports(jobs["message_count"]):
        [message] = [row for row in report["progress"]["messages"] if row["send"] and row["recv"]]
        assert (message["source"], message["send"]["count"]) == (CULPRIT, COUNT // 2)
        assert (message["destination"], message["recv"]["count"]) == (CULPRIT + 1, COUNT)
    assert f"rank {CULPRIT} sends {COUNT // 2} float, but rank {CULPRIT + 1} receives {COUNT} float" in (
        jobs["message_count"].text)


def test_a_chain_of_waiting_ranks_leads_to_its_end(jobs):
    """Rank 2 waits for all in the job's collective; rank 0 waits for the culprit in a smaller one."""
    for report in both_reports(jobs["sub"]):
        stuck = {row["size"]: row["waiting"] for row in report["progress"]["communicators"] if row["stuck"]}
        assert (stuck[2]["entered"], stuck[2]["not_entered"]) == ([0], [CULPRIT])
        assert (stuck[RANKS]["entered"], stuck[RANKS]["not_entered"]) == ([2], [0, CULPRIT])


def test_a_deadlock_is_reported_as_a_cycle(jobs):
    for report in both_reports(jobs["order"]):
        [cycle] = report["progress"]["deadlocks"]
        assert {(wait["rank"], wait["for"]) for wait in cycle} == {(0, 1), (1, 0)}
        first_of = {wait["rank"]: wait["comm"] for wait in cycle}
        assert first_of[0] != first_of[1]
    assert "deadlock: rank 0 waits in number 6 of " in jobs["order"].text


@pytest.mark.parametrize("way, call", [("init", "ncclCommInitRank"), ("group_end", "ncclGroupEnd")])
def test_ranks_inside_nccl_are_reported(jobs, way, call):
    others = [rank for rank in range(RANKS) if rank != CULPRIT]
    for report in both_reports(jobs[way]):
        assert report["progress"]["inside_nccl"] == others
        calls = {row["rank"]: row["call"] for row in report["progress"]["ranks"] if row["in_call"]}
        assert calls == {rank: call for rank in others}


def test_a_rank_without_a_log_is_named(jobs, tmp_path):
    logs = tmp_path / "logs"
    shutil.copytree(jobs["never"].logs, logs)
    for log in logs.glob("*.tauprof"):
        if report_of(log)["per_rank"][0]["rank"] == CULPRIT:
            log.unlink()
    progress = report_of(logs)["progress"]
    assert progress["suspects"] == [{"rank": CULPRIT, "reason": "no_log"}]
    [communicator] = [row for row in progress["communicators"] if row["waiting"]]
    assert communicator["waiting"]["members_without_log"] == 1
    assert communicator["waiting"]["not_entered"] == []


@pytest.mark.parametrize("way", ["none", "nap"])
def test_a_job_that_ends_is_not_reported_as_hanging(recorder, way):
    run = recorder.run([fault_program("stuck_job"), str(RANKS), str(CULPRIT), way], options="devices=4")
    assert run.status == 0
    report = run.report()
    assert report["progress"]["state"] == "finished"
    assert report["progress"]["suspects"] == []
    assert all(row["waiting"] is None for row in report["progress"]["communicators"])
    assert report["mismatches"] == []
    assert "PROGRESS" not in tauprof("analyze", str(run.logs), "--show", "all").stdout
