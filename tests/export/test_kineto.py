"""tauprof export -f kineto: importing it again gives the same report, and the events of recorded traces are theirs."""

import collections
import gzip
import json
import subprocess
from decimal import Decimal

import pytest

from conftest import HOSTILE_NAMES, JOBS, ranks_in

SETS = ["torchrec_sst5qb", "torchrec_sst2a", "param_dlrm_8rank", "hta_nccl_data_1of2"]
KEPT = ("kernel", "gpu_memcpy", "gpu_memset", "cuda_runtime", "cuda_driver", "cpu_op", "user_annotation")


def import_kineto(tauprof, source, logs):
    finished = subprocess.run([tauprof, "import", "kineto", source, "-o", logs], capture_output=True, timeout=60)
    assert finished.returncode == 0, finished.stderr
    return logs


def events_of(path):
    with gzip.open(path, "rt", encoding="utf-8") as file:
        return json.load(file, parse_float=Decimal)["traceEvents"]


def counted(events):
    """The parts of each event that HTA reads: its times to the nanosecond, its names and its numbers. The correlation
    of work whose launch was not recorded says nothing."""
    rows = collections.Counter()
    launches = {event.get("args", {}).get("correlation") for event in events
                if event.get("cat") in ("cuda_runtime", "cuda_driver")}
    for event in events:
        if event["ph"] == "X" and event["cat"] in KEPT:
            args = event.get("args", {})
            correlation = args.get("correlation")
            rows[event["cat"], event["name"], Decimal(event["ts"]), Decimal(event["dur"]), str(event["tid"]),
                 args.get("stream"), correlation if correlation in launches else None, args.get("bytes", 0)] += 1
    return rows


@pytest.mark.parametrize("name", SETS)
def test_recorded_traces_keep_their_events(tauprof, data_folder, export, tmp_path, name):
    source = data_folder / name
    folder = export(import_kineto(tauprof, source, tmp_path / "logs"), "kineto")
    originals = sorted(source.glob("*.json.gz"))
    assert sorted(path.name for path in folder.iterdir()) == [f"rank-{rank}.json.gz" for rank in range(len(originals))]
    for rank, original in enumerate(originals):
        assert counted(events_of(folder / f"rank-{rank}.json.gz")) == counted(events_of(original))


def in_file_order(events):
    """Events that HTA sorts by time, in an order that depends on the one it finds; numbers it takes as they are."""
    launches = {event["args"].get("correlation") for event in events if event.get("cat") in ("cuda_runtime", "cuda_driver")}
    lists = collections.defaultdict(list)
    for event in events:
        if event["ph"] != "X" or event["cat"] not in KEPT:
            continue
        is_host = event["cat"] in ("cuda_runtime", "cuda_driver", "cpu_op", "user_annotation")
        kind = "calls" if event["cat"].startswith("cuda_") else "ranges" if is_host else "work"
        args = event.get("args", {})
        correlation = args.get("correlation")
        lists[kind].append((event["name"], Decimal(event["ts"]), correlation if correlation in launches else None))
        lists["bandwidths"].append(args.get("memory bandwidth (GB/s)", 0))
        if is_host:
            lists["processes"].append(event["pid"])
    lists["bandwidths"].sort()
    lists["processes"] = sorted(set(lists["processes"]))
    return lists


@pytest.mark.parametrize("name", SETS)
def test_recorded_traces_keep_their_order_and_their_bandwidths(tauprof, data_folder, export, tmp_path, name):
    source = data_folder / name
    folder = export(import_kineto(tauprof, source, tmp_path / "logs"), "kineto")
    for rank, original in enumerate(sorted(source.glob("*.json.gz"))):
        one, other = in_file_order(events_of(folder / f"rank-{rank}.json.gz")), in_file_order(events_of(original))
        for kind in other:
            assert one[kind] == other[kind], kind


@pytest.mark.parametrize("name", SETS)
def test_recorded_traces_keep_their_report(tauprof, data_folder, export, report_of, tmp_path, name):
    logs = import_kineto(tauprof, data_folder / name, tmp_path / "logs")
    again = import_kineto(tauprof, export(logs, "kineto"), tmp_path / "again")
    one, other = report_of(logs), report_of(again)
    for kernel in one["kernels"] + other["kernels"]:
        for key in ("flops", "bytes", "bound", "share_of_bound"):  # rest on sizes of operators, which an export lacks
            del kernel[key]
    for section in ("ledger", "steps", "phases", "overlap", "collectives", "calls", "kernels", "per_rank"):
        assert one[section] == other[section], section


def test_a_recorded_job_keeps_its_ledger(tauprof, job, export, report_of, tmp_path):
    """But for graphs, of which the format has only the kernels, and for what waits of streams for each other tell of
    idle time: it has no handles of events."""
    again = report_of(import_kineto(tauprof, export(job.logs, "kineto"), tmp_path / "again"))
    assert ranks_in(again) == ranks_in(job.report)
    if "--marker none" in JOBS[job.logs.parent.name.rstrip("0123456789")]:
        return  # the steps were searched for, and are marked now
    assert again["steps"]["list"] == job.report["steps"]["list"]
    if not any(kernel["class"] == "unclassified" for kernel in job.report["kernels"]):
        assert without_idle_rows(again) == without_idle_rows(job.report)
    assert again["ledger"]["sum_ns"] == job.report["ledger"]["sum_ns"]
    expected = {(one["name"], one["count"], one["total_ns"]) for one in job.report["kernels"]}
    assert {(one["name"], one["count"], one["total_ns"]) for one in again["kernels"]} == expected
    sizes = ("op", "dtype", "ranks", "size_bytes", "count", "wait_ns", "transfer_ns")
    collectives = [{key: line[key] for key in sizes} for line in job.report["collectives"]]
    assert [{key: line[key] for key in sizes} for line in again["collectives"]] == collectives


def without_idle_rows(report):
    rows = collections.Counter()
    for row, ns in report["ledger"]["rows"].items():
        rows["idle" if row.startswith("idle_") else row] += ns
    return rows


def test_calls_and_their_work_share_a_correlation(job, export):
    for path in export(job.logs, "kineto").iterdir():
        calls, work, arrows = set(), [], collections.Counter()
        for event in events_of(path):
            if event["ph"] in "sf":
                arrows[event["id"], event["ph"]] += 1
            elif event["ph"] == "X" and event["cat"].startswith("cuda_"):
                calls.add(event.get("args", {}).get("correlation"))
            elif event["ph"] == "X" and event["cat"] in ("kernel", "gpu_memcpy", "gpu_memset"):
                assert event["args"]["stream"] >= 0
                work.append(event["args"]["correlation"])
        assert work
        for correlation in work:
            assert arrows[correlation, "s"] == (1 if correlation in calls else 0)
            assert arrows[correlation, "f"] == (work.count(correlation) if correlation in calls else 0)


def test_steps_have_the_names_that_readers_look_for(job, export):
    steps = {one["step"] for one in job.report["steps"]["list"]}
    for path in export(job.logs, "kineto").iterdir():
        names = {event["name"] for event in events_of(path) if event.get("cat") == "user_annotation"}
        assert {f"ProfilerStep#{step}" for step in steps} <= names


def test_hostile_names_stay_text(hostile_job, export):
    events = events_of(export(hostile_job.logs, "kineto") / "rank-0.json.gz")
    names = {kernel["name"] for kernel in hostile_job.report["kernels"]}
    assert set(HOSTILE_NAMES[:-1]) <= names
    assert {event["name"] for event in events if event.get("cat") == "kernel"} == names
