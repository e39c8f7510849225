"""An export of some steps has their events and no others, in each format."""

import csv
import gzip
import json
import sqlite3

import pytest
from conftest import analysed_steps
from perfetto_trace import Trace


@pytest.fixture
def chosen(job):
    """Two steps in the middle."""
    return sorted(analysed_steps(job.report))[1:3]


def options(chosen):
    return ["--steps", f"{chosen[0]}:{chosen[-1]}"]


def windows(database, chosen):
    """By rank: from the start of the first step to the end of the last, on the host and on the device."""
    return {rank: (start, end) for rank, start, end in database.execute(
        """SELECT rank, min(min(host_start_ns), min(coalesce(device_start_ns, host_start_ns))),
                  max(max(host_start_ns + host_ns), max(coalesce(device_start_ns + device_ns, 0)))
           FROM steps WHERE step BETWEEN ? AND ? GROUP BY rank""", (chosen[0], chosen[-1]))}


def rows(database, table, columns):
    return set(database.execute(f"SELECT {columns} FROM {table}"))


def test_tables_have_the_events_of_the_steps(job, export, chosen):
    whole, part = (sqlite3.connect(export(job.logs, "sqlite", name, options=of))
                   for name, of in (("whole", []), ("part", options(chosen))))
    time = windows(whole, chosen)

    def touches(rank, start, length):
        return start < time[rank][1] and max(start + length, start + 1) > time[rank][0]

    spans = "span_id, rank, start_ns, duration_ns, call_id"
    expected = {row for row in rows(whole, "spans", spans) if touches(*row[1:4])}
    assert rows(part, "spans", spans) == expected and len(expected) < len(rows(whole, "spans", spans))
    launches = {row[4] for row in expected}
    calls = "call_id, rank, start_ns, duration_ns"
    assert rows(part, "calls", calls) == {row for row in rows(whole, "calls", calls)
                                          if row[0] in launches or touches(*row[1:4])}
    for table, columns in (("ranges", "rank, start_ns, duration_ns, name_id"), ("telemetry", "rank, time_ns, 0, value")):
        assert rows(part, table, columns) == {row for row in rows(whole, table, columns) if touches(*row[:3])}, table
    assert {row[0] for row in rows(part, "spans", "name_id") | rows(part, "calls", "name_id")} <= {
        row[0] for row in rows(part, "names", "name_id")}


def test_tables_have_the_steps_and_their_collectives(job, export, chosen):
    whole, part = (sqlite3.connect(export(job.logs, "sqlite", name, options=of))
                   for name, of in (("whole", []), ("part", options(chosen))))
    for table, columns in (("steps", "rank, step, host_start_ns"), ("phases", "rank, step, phase, host_ns"),
                           ("ledger", "rank, step, phase, row, ns")):
        of_steps = {row for row in rows(whole, table, columns) if row[1] in chosen}
        assert rows(part, table, columns) == of_steps and len(of_steps) < len(rows(whole, table, columns)), table
    member = "collective_id, rank, step, start_ns, wait_ns"
    wanted = {row[0] for row in rows(whole, "collective_members", member) if row[2] in chosen}
    for table, columns in (("collective_members", member), ("collectives", "collective_id, operation, members")):
        of_steps = {row for row in rows(whole, table, columns) if row[0] in wanted}
        assert of_steps and rows(part, table, columns) == of_steps, table
    assert len(wanted) < len(rows(whole, "collectives", "collective_id"))


def test_csv_tables_have_the_steps(job, export, chosen):
    tables = export(job.logs, "csv", "tables", options=options(chosen))
    for table in ("steps", "phases", "ledger"):
        with open(tables / f"{table}.csv", newline="") as file:
            assert {int(row["step"]) for row in csv.DictReader(file)} == set(chosen), table


def test_a_perfetto_trace_has_the_steps(job, export, chosen):
    trace = Trace(export(job.logs, "perfetto", options=options(chosen)).read_bytes())
    for name in ("steps", "steps on the host"):
        slices = [piece for piece in trace.slices if trace.tracks[piece.track] == name]
        assert {int(piece.name.split()[-1]) for piece in slices} == set(chosen), name


def test_a_pytorch_trace_and_a_perfetto_trace_are_of_the_steps(job, export, chosen):
    part = sqlite3.connect(export(job.logs, "sqlite", "part", options=options(chosen)))
    spans = part.execute("SELECT count(*) FROM spans WHERE class <> 'not_work'").fetchone()[0]
    traces = export(job.logs, "kineto", "traces", options=options(chosen))
    events = []
    for path in traces.iterdir():
        with gzip.open(path, "rt") as file:
            events += json.load(file)["traceEvents"]
    assert sum(event.get("cat") in ("kernel", "gpu_memcpy", "gpu_memset") for event in events) == spans
    steps = {event["name"] for event in events if event["name"].startswith("ProfilerStep#")}
    assert steps and {int(name.split("#")[1]) for name in steps} == set(chosen)
    sizes = [export(job.logs, "perfetto", name, options=of).stat().st_size
             for name, of in (("all.pftrace", []), ("some.pftrace", options(chosen)))]
    assert sizes[1] < sizes[0]
