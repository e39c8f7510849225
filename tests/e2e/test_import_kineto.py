"""tauprof import kineto: imported traces against the same traces read in plain Python, and exit statuses."""

import collections
import gzip
import json
import pathlib
import re
import subprocess
from decimal import Decimal

import pytest

SETS = ["torchrec_sst5qb", "torchrec_sst2a", "param_dlrm_8rank", "hta_nccl_data_1of2"]
GENERATE = pathlib.Path(__file__).resolve().parent.parent.parent / "scripts" / "generate-kineto"

DEVICE = {"kernel": "kernel", "gpu_memcpy": "memcpy", "gpu_memset": "memset"}
RANGE = {"user_annotation": "annotation", "cpu_op": "operator"}


def run(*command):
    return subprocess.run([str(part) for part in command], capture_output=True, text=True, timeout=600)


def events_of(path):
    with gzip.open(path, "rt") as file:
        trace = json.load(file, parse_float=Decimal)
    return trace if isinstance(trace, list) else trace["traceEvents"]


def ns(microseconds):
    return int(Decimal(microseconds) * 1000)


def expected_rows(path):
    """The rows that the log must contain, read from the trace."""
    rows = collections.Counter()
    for event in events_of(path):
        category = event.get("cat")
        if event["ph"] == "X" and category in {**DEVICE, **RANGE, "cuda_runtime": 0, "cuda_driver": 0}:
            rows[kind_of(category), event["name"], ns(event["ts"]), ns(event["dur"]),
                 event.get("args", {}).get("correlation", 0) if category not in RANGE else 0] += 1
        elif event["ph"] == "i":
            rows["mark", event["name"], ns(event["ts"]), 0, 0] += 1
    return rows


def kind_of(category):
    return DEVICE.get(category) or RANGE.get(category) or "call"


def dumped_rows(tauprof, log):
    rows = collections.Counter()
    for record, name_column in (("device_activity", "name"), ("range", "name"), ("call", "function"), ("mark", "name")):
        for line in run(tauprof, "dump", log, "--kind", record).stdout.splitlines():
            if line.startswith("#"):
                continue
            fields = dict(re.findall(r'(\w+)=("(?:[^"\\]|\\.)*"|\S+)', line))
            kind = fields.get("activity") or fields.get("source") or record
            if record in ("call", "mark"):
                kind = record
            name = re.sub(r"\\(.)", r"\1", fields.get(name_column, '""')[1:-1])
            start = int(fields.get("start", fields.get("time", 0)))
            rows[kind, name, start, int(fields.get("duration", 0)), int(fields.get("correlation", 0))] += 1
    return rows


@pytest.mark.parametrize("name", SETS)
def test_every_event_of_recorded_traces_is_in_the_log(tauprof, data_folder, tmp_path, name):
    result = run(tauprof, "import", "kineto", data_folder / name, "-o", tmp_path / "logs")
    assert result.returncode == 0, result.stderr
    sources = sorted((data_folder / name).glob("*.json.gz"))
    assert len(list((tmp_path / "logs").glob("*"))) == len(sources)
    for source in sources:
        log = tmp_path / "logs" / (source.name.split(".")[0] + ".tauprof")
        assert dumped_rows(tauprof, log) == expected_rows(source), source.name
    assert "dropped" not in result.stdout


def test_recorded_collectives_keep_their_arguments(tauprof, data_folder, tmp_path):
    source = data_folder / "hta_nccl_data_1of2"
    result = run(tauprof, "import", "kineto", source, "-o", tmp_path)
    assert "of world 2: rank 1 is missing" in result.stderr
    lines = run(tauprof, "dump", tmp_path / "rank-0.tauprof", "--kind", "collective").stdout
    kernels = [event["args"] for event in events_of(source / "rank-0.json.gz")
               if event.get("cat") == "kernel" and "Collective name" in event["args"]]
    assert sorted(map(int, re.findall(r"correlation=(\d+)", lines))) == sorted(k["correlation"] for k in kernels)
    assert sorted(map(int, re.findall(r"count=(\d+)", lines))) == sorted(k["In msg nelems"] for k in kernels)


def test_every_event_of_generated_traces_is_in_the_log(tauprof, tmp_path):
    assert run(GENERATE, "-o", tmp_path / "traces", "--ranks", 3, "--steps", 2, "--gzip").returncode == 0
    result = run(tauprof, "import", "kineto", tmp_path / "traces", "-o", tmp_path / "logs")
    assert (result.returncode, result.stderr) == (0, "")
    for rank in range(3):
        source = tmp_path / "traces" / f"rank-{rank}.pt.trace.json.gz"
        assert dumped_rows(tauprof, tmp_path / "logs" / f"rank-{rank}.tauprof") == expected_rows(source)


def test_the_exit_status_tells_missing_traces_from_wrong_usage(tauprof, tmp_path):
    trace = tmp_path / "in" / "rank-0.json"
    trace.parent.mkdir()
    logs = tmp_path / "logs"
    nothing = run(tauprof, "import", "kineto", trace.parent, "-o", logs)
    assert nothing.returncode == 3 and "holds no traces" in nothing.stderr
    assert run(tauprof, "import", "kineto", tmp_path / "nowhere", "-o", logs).returncode == 3
    assert run(tauprof, "import", "kineto", trace.parent).returncode == 2
    assert run(tauprof, "import", "otherformat", trace.parent, "-o", logs).returncode == 2
    trace.write_text("not a trace")
    assert run(tauprof, "import", "kineto", trace.parent, "-o", logs).returncode == 3
    assert list(logs.glob("*")) + list(logs.glob(".*")) == []
    (trace.parent / "rank-1.json").write_text('[{"ph": "X", "name": "a", "pid": 1, "tid": 1, "ts": 1, "dur": 1}]')
    mixed = run(tauprof, "import", "kineto", trace.parent, "-o", logs)
    assert mixed.returncode == 0 and "rank-0.json: not JSON" in mixed.stderr
    assert run(tauprof, "check", logs / "rank-1.tauprof").returncode == 0
