"""Device times from CUDA events, if CUPTI is not wanted: what they time, and how close to the truth they are."""

import pathlib
import sys

import pytest

from recorded_run import training

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent / "simgpu" / "truth"))
from simgpu_truth.reader import read_directory  # noqa: E402

ANCHOR_NS = 200_000  # the largest error of an event's time on the host's clock


def communication(log):
    rows = (row for row in log.rows["device_activity"] if str(row["name"]).startswith("nccl"))
    return sorted(rows, key=lambda row: row["start"])


@pytest.mark.parametrize("text", ["", "--pipeline 2 --micro-batches 2", "--experts", "--zero"])
def test_events_time_single_and_grouped_communication(recorder, text):
    run = recorder.run(training(f"--steps 3 {text}", 2), variables={"TAUPROF_DEVICE_TIMING": "events"})
    assert (run.status, run.errors) == (0, "")
    by_rank = {log.rows["process"][0]["rank"]: log for log in run.read_logs()}
    for process in read_directory(run.truth):
        log = by_rank[process.rank]
        true = sorted((span for span in process.spans if span.kind == "collective"), key=lambda span: span.device_start)
        timed = communication(log)
        assert not log.rows["drop"]
        assert len(timed) == len(true) > 0
        for row, span in zip(timed, true):
            # The events enclose the work, so no work may appear shorter than it was.
            assert row["start"] <= span.device_start + ANCHOR_NS
            assert row["start"] + row["duration"] >= span.device_end - ANCHOR_NS
            assert log.owner(row["correlation"]) is not None
    collectives = run.report()["quality"]["collectives"]
    assert collectives["incomplete"] == 0 and collectives["split"] > 0
