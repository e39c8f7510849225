"""A PyTorch job that hangs: the report names the suspect and the source lines where its ranks are."""

import json
import os
import signal
import time

import pytest
from recorded_run import Recorder, tauprof
from scenario_runs import python_with_torch
from scenario_table import SCRIPTS

UNTIL_SEEN_S = 5  # a job counts as stuck once some rank has waited for two seconds
SCRIPT = SCRIPTS / "stuck.py"


def line_with(text):
    [number] = (number for number, line in enumerate(SCRIPT.read_text(encoding="utf-8").splitlines(), 1) if text in line)
    return number


def report_of(logs):
    done = tauprof("analyze", str(logs), "--json", "-")
    assert done.returncode == 0, done.stderr
    return json.loads(done.stdout)


@pytest.fixture(scope="module")
def reports(tmp_path_factory):
    """The report while the job hangs, and after it was killed."""
    command = [python_with_torch(), "-m", "torch.distributed.run", "--standalone", "--nproc-per-node", "2", str(SCRIPT)]
    process, logs, _ = Recorder(tmp_path_factory.mktemp("stuck")).start(
        command, start_new_session=True,
        variables={"TAUPROF_STACKS": "slow", "OMP_NUM_THREADS": "1", "PYTHONDONTWRITEBYTECODE": "1"})
    try:
        assert process.stdout.readline() == "stuck\n", process.stderr.read()
        time.sleep(UNTIL_SEEN_S)
        while_it_hangs = report_of(logs)
    finally:
        os.killpg(process.pid, signal.SIGKILL)
        process.communicate()
    return while_it_hangs, report_of(logs)


def test_the_absent_rank_is_named_with_its_source_line(reports):
    for report in reports:
        progress = report["progress"]
        assert progress["state"] == "stuck"
        assert progress["suspects"] == [{"rank": 1, "reason": "elsewhere"}]
        of_rank_1 = next(row for row in progress["ranks"] if row["rank"] == 1)
        assert not of_rank_1["in_call"]
        assert of_rank_1["where"].endswith(f"stuck.py:{line_with('where rank 1 is')} read_shard")
        [finding] = [finding for finding in report["findings"] if finding["id"] == "hang"]
        assert finding["where"] == of_rank_1["where"]


def test_the_waiting_rank_is_at_the_line_that_reads_the_result(reports):
    for report in reports:
        waiting = next(row["waiting"] for row in report["progress"]["communicators"] if row["stuck"])
        assert (waiting["entered"], waiting["not_entered"]) == ([0], [1])
        of_rank_0 = next(row for row in report["progress"]["ranks"] if row["rank"] == 0)
        assert of_rank_0["in_call"] and of_rank_0["doing_for_ns"] > 2e9
        assert of_rank_0["where"].endswith(f"stuck.py:{line_with('where rank 0 is')} main")
