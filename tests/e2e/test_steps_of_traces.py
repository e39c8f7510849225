"""Recorded traces with hidden step markers: the steps found are those that were marked."""

import gzip
import json
import subprocess

import pytest

# Without param_dlrm_8rank, which has a single step.
SETS = ("torchrec_sst5qb", "torchrec_sst2a", "hta_nccl_data_1of2")


def steps(tauprof, traces, logs):
    for command in ([tauprof, "import", "kineto", str(traces), "-o", str(logs)],
                    [tauprof, "analyze", str(logs), "--json", "-"]):
        done = subprocess.run(command, capture_output=True, text=True, check=False)
        assert done.returncode == 0, done.stderr
    return json.loads(done.stdout)["steps"]


def hide_markers(folder, hidden, prefixes=("ProfilerStep",)):
    hidden.mkdir()
    for path in folder.glob("*.json.gz"):
        with gzip.open(path) as file:
            trace = json.load(file)
        events = trace["traceEvents"] if isinstance(trace, dict) else trace
        events[:] = [event for event in events if not str(event.get("name", "")).startswith(prefixes)]
        (hidden / path.name[:-3]).write_text(json.dumps(trace))


@pytest.mark.parametrize("hidden", [("ProfilerStep",), ("ProfilerStep", "Optimizer.")], ids=["markers", "optimizers"])
@pytest.mark.parametrize("name", SETS)
def test_steps_with_hidden_markers_are_found(name, hidden, tauprof, data_folder, tmp_path):
    marked = steps(tauprof, data_folder / name, tmp_path / "marked")
    hide_markers(data_folder / name, tmp_path / "hidden", hidden)
    found = steps(tauprof, tmp_path / "hidden", tmp_path / "found")
    assert marked["detected_by"].startswith("marker") and found["detected_by"] == "optimizer"
    assert 0.5 < found["confidence"] < 1
    own = [row["duration_ns"] for row in marked["list"]]
    again = [row["duration_ns"] for row in found["list"]]
    # Only the markers say what the host does before the first step's work, and when the last one is over.
    assert len(again) == len(own)
    assert again[1:-1] == pytest.approx(own[1:-1], rel=0.01)


def test_the_optimizers_range_makes_a_single_step(tauprof, data_folder, tmp_path):
    hide_markers(data_folder / "param_dlrm_8rank", tmp_path / "hidden")
    found = steps(tauprof, tmp_path / "hidden", tmp_path / "found")
    assert (found["detected_by"], found["confidence"], found["count"]) == ("optimizer", 0.5, 1)


def test_a_recording_without_known_updates_is_reported_by_time(tauprof, data_folder, tmp_path):
    hide_markers(data_folder / "param_dlrm_8rank", tmp_path / "hidden", ("ProfilerStep", "Optimizer."))
    found = steps(tauprof, tmp_path / "hidden", tmp_path / "found")
    assert (found["detected_by"], found["unit"], found["confidence"], found["count"]) == ("time", "slice", 0, 1)
    assert "no update" in found["reason"]


def windows_by_markers(folder):
    """{step: mean over ranks of its device window, in ns} by the markers alone (docs/metrics.md, "Notation")."""
    lengths = {}
    for path in folder.glob("*.json.gz"):
        with gzip.open(path) as file:
            trace = json.load(file)
        events = trace["traceEvents"] if isinstance(trace, dict) else trace
        ends = [(event["ts"], event["ts"] + event["dur"], int(event["name"].split("#")[1])) for event in events
                if event.get("cat") == "user_annotation" and str(event["name"]).startswith("ProfilerStep#")]
        ends.sort()
        work = {event["args"]["correlation"]: event for event in events
                if event.get("cat") in ("kernel", "gpu_memcpy", "gpu_memset")}
        kernels = [event for event in work.values() if event["cat"] == "kernel" and "nccl" not in event["name"].lower()]
        streams = {}
        for event in kernels:
            streams[event["tid"]] = streams.get(event["tid"], 0) + event["dur"]
        main = max(streams, key=streams.get)
        launched = {number: [] for _, _, number in ends}
        for call in events:
            span = work.get(call.get("args", {}).get("correlation")) if call.get("cat") in (
                "cuda_runtime", "cuda_driver") else None
            starts = [(start, number) for start, _, number in ends if start <= call["ts"]] if span else []
            if starts and (starts[-1][1] != ends[-1][2] or call["ts"] < ends[-1][1]):
                launched[starts[-1][1]].append(span)
        cuts = [min(span["ts"] for span in launched[number] if span["tid"] == main) for _, _, number in ends]
        first = min(span["ts"] for span in launched[ends[0][2]])
        last = max(span["ts"] + span["dur"] for spans in launched.values() for span in spans)
        cuts = [min(first, ends[0][0]), *cuts[1:], max(last, ends[-1][1])]
        for (_, _, number), start, end in zip(ends, cuts, cuts[1:]):
            lengths.setdefault(number, []).append(1000 * (end - start))
    return {number: sum(of_ranks) / len(of_ranks) for number, of_ranks in sorted(lengths.items())}


@pytest.mark.parametrize("name", [*SETS, "param_dlrm_8rank"])
def test_marked_steps_are_as_long_as_the_markers_say(name, tauprof, data_folder, tmp_path):
    found = steps(tauprof, data_folder / name, tmp_path / "marked")
    assert {row["step"]: pytest.approx(row["duration_ns"], abs=2_000) for row in found["list"]} == \
        windows_by_markers(data_folder / name)
