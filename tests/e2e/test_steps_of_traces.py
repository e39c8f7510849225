"""Recorded traces with hidden step markers: the steps found are those that were marked."""

import gzip
import json
import subprocess

import pytest

# Without param_dlrm_8rank, whose single step has no period.
SETS = ("torchrec_sst5qb", "torchrec_sst2a", "hta_nccl_data_1of2")


def steps(tauprof, traces, logs):
    for command in ([tauprof, "import", "kineto", str(traces), "-o", str(logs)],
                    [tauprof, "analyze", str(logs), "--json", "-"]):
        done = subprocess.run(command, capture_output=True, text=True, check=False)
        assert done.returncode == 0, done.stderr
    return json.loads(done.stdout)["steps"]


def hide_markers(folder, hidden):
    hidden.mkdir()
    for path in folder.glob("*.json.gz"):
        with gzip.open(path) as file:
            trace = json.load(file)
        events = trace["traceEvents"] if isinstance(trace, dict) else trace
        events[:] = [event for event in events if "ProfilerStep" not in str(event.get("name", ""))]
        (hidden / path.name[:-3]).write_text(json.dumps(trace))


@pytest.mark.parametrize("name", SETS)
def test_steps_with_hidden_markers_are_found(name, tauprof, data_folder, tmp_path):
    marked = steps(tauprof, data_folder / name, tmp_path / "marked")
    hide_markers(data_folder / name, tmp_path / "hidden")
    found = steps(tauprof, tmp_path / "hidden", tmp_path / "found")
    assert marked["detected_by"].startswith("marker") and found["detected_by"] == "optimizer"
    assert 0.5 < found["confidence"] < 1
    own = [row["duration_ns"] for row in marked["list"]]
    again = [row["duration_ns"] for row in found["list"]]
    # The last step ends with the recording, not where the program's step ended.
    assert len(again) == len(own)
    assert again[:-1] == pytest.approx(own[:-1], rel=0.01)


def test_a_recording_without_a_period_is_reported_by_time(tauprof, data_folder, tmp_path):
    hide_markers(data_folder / "param_dlrm_8rank", tmp_path / "hidden")
    found = steps(tauprof, tmp_path / "hidden", tmp_path / "found")
    assert (found["detected_by"], found["unit"], found["confidence"], found["count"]) == ("time", "slice", 0, 1)
    assert "no period" in found["reason"]
