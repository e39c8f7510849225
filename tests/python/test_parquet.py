"""tauprof export -f parquet: whole tables, from which others get the report's numbers."""

import os
import pathlib
import subprocess
import sys
from itertools import groupby
from operator import itemgetter
from types import SimpleNamespace

import pytest
from conftest import PACKAGE

import tauprof

pq = pytest.importorskip("pyarrow.parquet")
ROOT = pathlib.Path(__file__).resolve().parent.parent.parent
sys.path.insert(0, str(ROOT / "tests"))

from oracle import idle, truth  # noqa: E402


def table(folder, name):
    return pq.read_table(folder / name if (folder / name).is_dir() else folder / f"{name}.parquet").to_pylist()


def export(logs, folder, *options):
    environment = {**os.environ, "PYTHONPATH": PACKAGE, "TAUPROF_PYTHON_PROGRAM": sys.executable}
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


def ledger_of_tables(database, tables):
    """{row: ns}: what ran by SQL, and idle time by the oracle's rules on the calls of the tables."""
    script = (ROOT / "tests" / "python" / "ledger.sql").read_text().replace("{tables}", str(tables))
    database.execute(script)
    query = "SELECT row, sum(last - first)::BIGINT FROM pieces WHERE row <> 'idle' AND last > first GROUP BY row"
    found = dict(database.sql(query).fetchall())
    for rank, gaps in groupby(database.sql("SELECT * FROM gaps ORDER BY rank, first").fetchall(), itemgetter(0)):
        process = process_of(database, tables, rank)
        threads = idle.HostThreads(process)
        by_id = {call.id: call for call in process.calls}
        for _, first, last, call, is_last in gaps:
            rows = (idle.rows_behind(threads, (first, last), main_thread(database, tables, rank)) if is_last else
                    idle.rows(threads, (first, last), ended_by(by_id.get(call))))
            for row, ns in rows:
                found[row] = found.get(row, 0) + ns
    return found


def main_thread(database, tables, rank):
    threads = f"'{tables}/threads/rank={rank}/*.parquet'"
    [(thread,)] = database.sql(f"SELECT thread_id FROM {threads} WHERE is_main").fetchall()
    return thread


def ended_by(call):
    return truth.Span(0, "", "", 0, 0, 0, call)


ROLES = {"sync": "sync", "blocking_copy": "blocking_copy", "awaited_copy": "blocking_copy", "allocation": "allocation",
         "stream_wait": "stream_wait", "host_function": "stream_wait", "other": "other"}


def process_of(database, tables, rank):
    """The calls of a rank and the ranges of its loaders, as the oracle takes them."""
    calls = database.sql(f"""
        SELECT call_id, thread_id, class, start_ns, start_ns + duration_ns, stream, thread_cpu_ns, end_cpu_ns, phase,
               call_id IN (SELECT call_id FROM '{tables}/spans/rank={rank}/*.parquet' WHERE copy_kind = 'HtoD')
        FROM '{tables}/calls/rank={rank}/*.parquet' ORDER BY start_ns""").fetchall()
    loads = database.sql(f"""
        SELECT thread_id, start_ns, start_ns + duration_ns FROM '{tables}/ranges/rank={rank}/*.parquet' ranges
        JOIN '{tables}/names.parquet' names USING (name_id) WHERE name LIKE '%DataLoader%'""").fetchall()
    return SimpleNamespace(
        calls=[truth.Call(id, thread, "", ROLES.get(kind, "launch"), start, end, stream=stream, thread_cpu_ns=cpu,
                          end_cpu_ns=end_cpu, phase=phase, to_device=to_device)
               for id, thread, kind, start, end, stream, cpu, end_cpu, phase, to_device in calls],
        ranges=[SimpleNamespace(phase="dataload_wait", thread=thread, start=start, end=end) for thread, start, end in loads])


@pytest.mark.parametrize("name", ["plain", "straggler", "pipeline", "all_to_all", "allocating", "loading"])
def test_duckdb_recomputes_the_ledger(logs, tmp_path, name):
    """To the nanosecond, every row."""
    database = pytest.importorskip("duckdb").connect()
    assert export(logs(name), tmp_path / "tables").returncode == 0
    rows = tauprof.load(logs(name)).ledger.rows
    assert ledger_of_tables(database, tmp_path / "tables") == {row: time for row, time in rows.items() if time}
    assert rows["compute"] > 0 and sum(time > 0 for row, time in rows.items() if row.startswith("idle")) > 2


@pytest.mark.parametrize("name", ["param_dlrm_8rank"])
def test_duckdb_recomputes_the_ledger_of_a_trace(logs, tmp_path, name):
    """The host's share of the time in which a device idled is one sum, and so is the device's: a trace has no CPU
    clocks of threads and no streams of calls, and what they would tell is inferred."""
    database = pytest.importorskip("duckdb").connect()
    assert export(logs(name), tmp_path / "tables").returncode == 0
    found, rows = (summed_by_side(rows) for rows in (ledger_of_tables(database, tmp_path / "tables"),
                                                     tauprof.load(logs(name)).ledger.rows))
    assert found == rows
    assert found["compute"] > 0 and found["host"] > 0


def summed_by_side(rows):
    sides = {"idle_data_wait": "host", "idle_dependency": "device", "idle_device_latency": "device"}
    sums = {}
    for row, time in rows.items():
        kind = "host" if row.startswith("idle_host_") else sides.get(row, row)
        sums[kind] = sums.get(kind, 0) + time
    return {row: time for row, time in sums.items() if time}


def test_the_ledger_can_be_recomputed_from_the_spans(logs, tmp_path):
    """The time that computes, that only communicates, that only copies, and the rest, from spans and steps alone."""
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
