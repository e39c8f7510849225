"""Jobs to export, with the report that the exports must agree with."""

import collections
import gzip
import json
import subprocess

import pytest
from programs import program

# Several hosts' clocks, a late rank, a graph, two networks, warm-up steps that are not analysed.
JOBS = {
    "late_rank": "--ranks 4 --hosts 2 --stall 3:*=20ms --graph --steps 12",
    "two_devices_a_process": "--ranks 4 --devices-per-process 2 --steps 6 --phase-ranges",
    "pipeline": "--ranks 4 --pipeline 2 --micro-batches 4 --steps 5 --no-phase-ranges --marker none",
}

HOSTILE_NAMES = ["a 'quoted' \"name\", with; commas", "line one\nline two\r\n", "<script>alert(1)</script>",
                 "'); DROP TABLE spans; --", "snow ☃ and 🙂", "=1+1", "\\N", "%s%n", "tab\there"]

Job = collections.namedtuple("Job", "logs report")


@pytest.fixture(scope="session")
def report_of(tauprof):
    def of(logs):
        finished = subprocess.run([tauprof, "analyze", logs, "--json", "-"], capture_output=True, timeout=60)
        assert finished.returncode == 0, finished.stderr
        return json.loads(finished.stdout)

    return of


@pytest.fixture(scope="session", params=JOBS)
def job(request, tmp_path_factory, report_of):
    logs = tmp_path_factory.mktemp(request.param) / "logs"
    subprocess.run([program("TAUPROF_GENERATE"), *JOBS[request.param].split(), "--out", logs], check=True,
                   capture_output=True)
    return Job(logs, report_of(logs))


@pytest.fixture(scope="session")
def hostile_job(tauprof, tmp_path_factory, report_of):
    """An imported trace whose names want to be something else than text."""
    folder = tmp_path_factory.mktemp("hostile")
    events = [{"ph": "X", "cat": "user_annotation", "name": f"ProfilerStep#{step}", "pid": 1, "tid": 1,
               "ts": 1000 * step, "dur": 1000} for step in (1, 2)]
    for index, name in enumerate(HOSTILE_NAMES * 2):
        start = 1010 + 100 * index
        launch = {"ph": "X", "cat": "cuda_runtime", "name": "cudaLaunchKernel", "pid": 1, "tid": 1, "ts": start,
                  "dur": 5, "args": {"correlation": index + 1}}
        kernel = {"ph": "X", "cat": "kernel", "name": name, "pid": 0, "tid": 7, "ts": start + 20, "dur": 30,
                  "args": {"correlation": index + 1, "stream": 7, "device": 0}}
        around = {"ph": "X", "cat": "user_annotation", "name": name, "pid": 1, "tid": 1, "ts": start - 2, "dur": 10}
        events += [launch, kernel, around]
    trace = json.dumps({"distributedInfo": {"rank": 0, "world_size": 1}, "traceEvents": events}, ensure_ascii=False)
    with gzip.open(folder / "trace.json.gz", "wb") as file:
        file.write(trace.encode().replace("tab\\there".encode(), b"tab\\there \xff\xfe bytes"))
    subprocess.run([tauprof, "import", "kineto", folder / "trace.json.gz", "-o", folder / "logs"], check=True,
                   capture_output=True)
    return Job(folder / "logs", report_of(folder / "logs"))


@pytest.fixture
def export(tauprof, tmp_path):
    def to(logs, form, name="out", options=()):
        finished = subprocess.run([tauprof, "export", logs, "-f", form, "-o", tmp_path / name, *options],
                                  capture_output=True, text=True, timeout=120)
        assert finished.returncode == 0, finished.stderr
        return tmp_path / name

    return to


def ranks_in(report):
    return [rank["rank"] for rank in report["per_rank"]]


def analysed_steps(report):
    return {step["step"] for step in report["steps"]["list"]}
