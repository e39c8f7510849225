"""tauprof export -f parquet: whole tables, from which others get the report's numbers."""

import os
import pathlib
import subprocess
import sys

import pytest

import tauprof

pq = pytest.importorskip("pyarrow.parquet")
ROOT = pathlib.Path(__file__).resolve().parent.parent.parent


def table(folder, name):
    return pq.read_table(folder / name if (folder / name).is_dir() else folder / f"{name}.parquet").to_pylist()


def export(logs, folder, *options):
    environment = {**os.environ, "PYTHONPATH": str(ROOT / "analyzer" / "python"), "TAUPROF_PYTHON_PROGRAM": sys.executable}
    return subprocess.run(["tauprof", "export", logs, "-f", "parquet", "-o", folder, *options], capture_output=True,
                          text=True, env=environment)


def union(intervals):
    total, reached = 0, None
    for start, end in sorted(intervals):
        start = start if reached is None else max(start, reached)
        total += max(0, end - start)
        reached = end if reached is None else max(reached, end)
    return total


@pytest.mark.parametrize("name", ["plain", "straggler", "torchrec_sst2a"])
def test_the_ledger_can_be_summed(logs, tmp_path, name):
    assert export(logs(name), tmp_path / "tables").returncode == 0
    sums = {}
    analysed = {(step["rank"], step["step"]) for step in table(tmp_path / "tables", "steps") if step["analysed"]}
    for cell in table(tmp_path / "tables", "ledger"):
        if (cell["rank"], cell["step"]) in analysed:
            sums[cell["row"]] = sums.get(cell["row"], 0) + cell["ns"]
    rows = tauprof.load(logs(name)).ledger.rows
    assert sums == {row: time for row, time in rows.items() if time}


@pytest.mark.parametrize("name", ["plain", "straggler", "pipeline", "all_to_all", "param_dlrm_8rank"])
def test_duckdb_recomputes_the_ledger(logs, tmp_path, name):
    """In SQL and to the nanosecond. What the host did while a device idled is one sum: what tells it apart, such as the
    CPU clocks of threads, is not in the tables."""
    duckdb = pytest.importorskip("duckdb")
    tables = tmp_path / "tables"
    assert export(logs(name), tables).returncode == 0
    query = (ROOT / "tests" / "python" / "ledger.sql").read_text().replace("{tables}", str(tables))
    found = dict(duckdb.sql(query).fetchall())
    rows = tauprof.load(logs(name)).ledger.rows
    busy = {row: time for row, time in rows.items() if not row.startswith("idle_")}
    launched, unknown = rows["idle_dependency"] + rows["idle_device_latency"], rows["idle_other"]
    idle = {"launched": launched, "unknown": unknown, "not launched": sum(rows.values()) - sum(busy.values()) - launched - unknown}
    assert found == {row: time for row, time in (busy | idle).items() if time}
    assert found["compute"] > 0 and found["launched"] > 0 and found["not launched"] > 0


def test_the_ledger_can_be_recomputed_from_the_spans(logs, tmp_path):
    """What computes, what only communicates, what only copies, and the rest, from spans and steps alone."""
    assert export(logs("plain"), tmp_path / "tables").returncode == 0
    spans = {}
    for span in table(tmp_path / "tables", "spans"):
        spans.setdefault(span["rank"], []).append(span)
    found = dict.fromkeys(("compute", "fused", "comm", "copy", "unclassified", "idle"), 0)
    for step in table(tmp_path / "tables", "steps"):
        if not step["analysed"]:
            continue
        start, end = step["device_start_ns"], step["device_end_ns"]
        covered, seen = 0, []
        for kind in ("compute", "fused", "comm", "copy", "unclassified"):
            seen += [(max(start, span["start_ns"]), min(end, span["start_ns"] + span["duration_ns"]))
                     for span in spans[step["rank"]] if span["class"] == kind
                     and span["start_ns"] < end and span["start_ns"] + span["duration_ns"] > start]
            found[kind] += union(seen) - covered
            covered = union(seen)
        found["idle"] += end - start - covered
    rows = tauprof.load(logs("plain")).ledger.rows
    assert found == {
        "compute": rows["compute"], "fused": rows["fused_comm_compute"],
        "comm": sum(time for row, time in rows.items() if row.startswith("exposed_comm")),
        "copy": rows["exposed_copy"], "unclassified": rows["unclassified"],
        "idle": sum(time for row, time in rows.items() if row.startswith("idle"))}


def test_ranks_are_partitions(logs, tmp_path):
    tauprof.to_parquet(logs("plain"), tmp_path / "tables")
    assert sorted(path.name for path in (tmp_path / "tables" / "spans").iterdir()) == ["rank=0", "rank=1"]
    assert not [path for path in tmp_path.iterdir() if path.name != "tables"]


def test_what_is_there_is_left_alone(logs, tmp_path):
    (tmp_path / "tables").mkdir()
    (tmp_path / "tables" / "mine").write_text("mine")
    done = export(logs("plain"), tmp_path / "tables")
    assert done.returncode == 1 and "not an empty directory" in done.stderr and done.stderr.count("\n") == 1
    assert (tmp_path / "tables" / "mine").read_text() == "mine"


def test_an_input_without_logs_is_the_inputs_fault(tmp_path):
    (tmp_path / "empty").mkdir()
    done = export(tmp_path / "empty", tmp_path / "tables")
    assert done.returncode == 3 and done.stderr.startswith("tauprof: ") and done.stderr.count("\n") == 1
    assert [path.name for path in tmp_path.iterdir()] == ["empty"]
