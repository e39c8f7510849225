"""tauprof export -f sqlite and -f csv: the tables give the report's numbers, and both formats have the same tables."""

import csv
import pathlib
import re
import sqlite3

import pytest

from conftest import HOSTILE_NAMES, analysed_steps, ranks_in

DOCUMENT = (pathlib.Path(__file__).resolve().parents[2] / "docs" / "export.md").read_text(encoding="utf-8")


@pytest.fixture
def database(job, export):
    return sqlite3.connect(export(job.logs, "sqlite"))


def dictionary(database, sql):
    return {row[0] if len(row) == 2 else row[:-1]: row[-1] for row in database.execute(sql)}


def tables_of(database):
    return [name for (name,) in database.execute("SELECT name FROM sqlite_master WHERE type = 'table'")]


def test_the_ledger_is_the_reports(database, job):
    expected = {row: ns for row, ns in job.report["ledger"]["rows"].items() if ns}
    assert dictionary(database, "SELECT row, ns FROM ledger_totals") == expected
    by_phase = {(phase, row): ns for phase, rows in job.report["ledger"]["by_phase"].items()
                for row, ns in rows.items() if ns}
    assert dictionary(database, "SELECT phase, row, ns FROM ledger_by_phase") == by_phase
    by_rank = {(rank["rank"], row): ns for rank in job.report["per_rank"] for row, ns in rank["ledger"].items()
               if ns}
    assert dictionary(database, "SELECT rank, row, ns FROM ledger_by_rank") == by_rank
    total, = database.execute("SELECT sum(device_ns) FROM steps WHERE analysed").fetchone()
    assert total == job.report["ledger"]["step_ns"]
    assert sum(dictionary(database, "SELECT row, share FROM ledger_totals").values()) == pytest.approx(1)


def test_ranks_steps_and_phases_are_the_reports(database, job):
    assert [rank for (rank,) in database.execute("SELECT rank FROM ranks ORDER BY rank")] == ranks_in(job.report)
    times = dictionary(database, "SELECT step, mean_ns FROM step_times")
    assert set(times) == analysed_steps(job.report)
    for step in job.report["steps"]["list"]:
        assert times[step["step"]] == pytest.approx(step["duration_ns"], abs=0.51)
    phases = {row[0]: row[1:] for row in database.execute("SELECT * FROM phase_means")}
    for phase in job.report["phases"]:
        if not phase["derived"]:
            host, device, host_share, device_share = phases[phase["name"]]
            assert host == pytest.approx(phase["host_ns"]["mean"], abs=0.51)
            assert device == pytest.approx(phase["device_ns"]["mean"], abs=0.51)
            assert (host_share, device_share) == pytest.approx((phase["host_share"], phase["device_share"]))


def test_kernels_are_the_reports(database, job):
    found = {(name, of): (count, total) for name, of, count, total in
             database.execute("SELECT name, class, count, total_ns FROM kernel_totals")}
    assert found == {(one["name"], one["class"]): (one["count"], one["total_ns"]) for one in job.report["kernels"]}


def test_calls_are_the_reports(database, job):
    found = {name: (count, total) for name, count, total in
             database.execute("SELECT name, count, total_ns FROM call_totals")}
    assert found == {one["function"]: (one["count"], one["total_ns"]) for one in job.report["calls"]}


def test_calls_are_of_the_class_that_their_name_says(database):
    """All classes are in one list, and one that lacks a name would shift the others'."""
    classes = dictionary(database, "SELECT name, min(class) || max(class) FROM calls JOIN names USING (name_id) GROUP BY name")
    expected = {"cudaLaunchKernel": "kernel", "cudaStreamWaitEvent": "stream_wait", "cudaStreamSynchronize": "sync",
                "cudaDeviceSynchronize": "sync", "cudaLaunchHostFunc": "host_function", "cudaMalloc": "allocation",
                "cudaFree": "allocation", "cublasGemmEx": "gemm", "ncclGroupEnd": "group_end"}
    known = {name: found for name, found in classes.items() if name in expected}
    assert known == {name: 2 * expected[name] for name in known} and {"cudaLaunchKernel", "cudaStreamWaitEvent"} <= set(known)


def test_collectives_are_the_reports(database, job):
    sql = """SELECT communicator, operation, datatype, ranks, size_bytes, count, wait_ns, transfer_ns, skew_ns, exposed_ns,
             busbw_gb_per_s FROM collective_sizes"""
    keys = ("comm", "op", "dtype", "ranks", "size_bytes", "count", "wait_ns", "transfer_ns", "skew_ns", "exposed_ns",
            "busbw_gb_per_s")
    assert database.execute(sql).fetchall() == [tuple(line[key] for key in keys) for line in job.report["collectives"]]


def test_the_members_of_collectives_sum_to_the_report(database, job):
    sums = """SELECT communicator, operation, sum(wait_ns), sum(transfer_ns), count(DISTINCT collective_id)
              FROM collective_members JOIN collectives USING (collective_id) JOIN steps USING (rank, step)
              WHERE analysed GROUP BY 1, 2 HAVING count(wait_ns) = count(*)"""
    expected = {}
    for line in job.report["collectives"]:
        old = expected.get((line["comm"], line["op"]), (0, 0, 0))
        new = (line["wait_ns"], line["transfer_ns"], line["count"])
        expected[line["comm"], line["op"]] = tuple(map(sum, zip(old, new)))
    found = {(comm, op): rest for comm, op, *rest in database.execute(sums)}
    checked = [key for key in found if key in expected and key[1] not in ("send", "recv", "send_recv")]
    assert checked or "pipeline" in str(job.logs)
    for key in checked:
        assert tuple(found[key]) == expected[key]


def test_stragglers_and_findings_are_the_reports(database, job):
    found = database.execute("SELECT rank, cause, persistent, score FROM stragglers").fetchall()
    assert found == [(one["rank"], one["cause"], one["persistent"], one["score"])
                     for one in job.report["stragglers"]["found"]]
    findings = database.execute("SELECT id, severity, title, evidence, advice FROM findings ORDER BY position").fetchall()
    assert findings == [tuple(one[key] for key in ("id", "severity", "title", "evidence", "advice"))
                        for one in job.report["findings"]]


def assert_blame_is_the_reports(database, report):
    blamed = dictionary(database, "SELECT late_rank, sum(ns) FROM blame GROUP BY late_rank")
    assert blamed.pop(None, 0) == pytest.approx(report["stragglers"]["unblamed_ns"], abs=1)
    assert blamed == pytest.approx({rank["rank"]: rank["blamed_ns"] for rank in report["stragglers"]["ranks"]
                                    if rank["blamed_ns"]}, abs=1)
    by_cause = dictionary(database, "SELECT late_rank, cause, sum(ns) FROM blame GROUP BY late_rank, cause")
    for one in report["stragglers"]["found"]:
        for cause, ns in one["blamed_ns_by_cause"].items():
            assert by_cause[one["rank"], cause] == pytest.approx(ns, abs=1)


@pytest.fixture(params=[[], ["--steps", "0:"], ["--ranks", "0-3"]], ids=["all_ranks_together", "steps", "ranks"])
def blame(request, job, export):
    return sqlite3.connect(export(job.logs, "sqlite", options=request.param))


def test_blame_is_the_reports(blame, job):
    assert_blame_is_the_reports(blame, job.report)


def test_blame_sums_to_the_waits_of_each_collective(blame):
    waits = """SELECT collective_id, sum(wait_ns) FROM collective_members JOIN collectives USING (collective_id)
               WHERE collective_id IN (SELECT collective_id FROM blame) GROUP BY 1"""
    expected = dictionary(blame, waits)
    assert expected and dictionary(blame, "SELECT collective_id, sum(ns) FROM blame GROUP BY 1") == pytest.approx(expected)


def test_inherited_blame_is_found_where_it_comes_from(blame):
    lost = """SELECT count(*) FROM blame AS later WHERE inherited_from IS NOT NULL AND NOT EXISTS (SELECT * FROM blame
              WHERE collective_id = later.inherited_from AND late_rank = later.late_rank AND cause = later.cause)"""
    assert blame.execute(lost).fetchone() == (0,)
    assert blame.execute("SELECT count(inherited_from) > 0 FROM blame").fetchone() == (1,)


def test_blame_by_waiting_rank_is_what_each_rank_waited(job, export):
    database = sqlite3.connect(export(job.logs, "sqlite", options=["--steps", "0:"]))
    waits = """SELECT collective_id, rank, wait_ns FROM collective_members WHERE wait_ns > 0
               AND collective_id IN (SELECT collective_id FROM blame)"""
    blamed = dictionary(database, "SELECT collective_id, waiting_rank, sum(ns) FROM blame GROUP BY 1, 2")
    assert blamed == pytest.approx(dictionary(database, waits))


def test_the_blame_of_chosen_ranks_and_steps_is_theirs(job, export):
    last = max(analysed_steps(job.report))
    everybody = sqlite3.connect(export(job.logs, "sqlite", "all", options=["--steps", "0:"]))
    theirs = sqlite3.connect(export(job.logs, "sqlite", "some", options=["--steps", f"{last}", "--ranks", "1,2"]))
    rows = "SELECT collective_id, waiting_rank, late_rank, cause, sum(ns) FROM blame WHERE step = ? AND waiting_rank IN (1, 2) GROUP BY 1, 2, 3, 4"
    expected = dictionary(everybody, rows.replace("?", str(last)))
    assert expected and dictionary(theirs, rows.replace("?", str(last))) == pytest.approx(expected)
    assert theirs.execute("SELECT count(*) FROM blame WHERE step <> ? OR waiting_rank NOT IN (1, 2)", [last]).fetchone() == (0,)
    for table in ("ranks", "steps", "ledger", "spans", "calls"):
        assert theirs.execute(f"SELECT DISTINCT rank FROM {table} ORDER BY 1").fetchall() == [(1,), (2,)], table


def test_the_late_rank_is_blamed_for_its_stall(database, job):
    if "late_rank" not in str(job.logs):
        pytest.skip("this job has no late rank")
    blamed = dictionary(database, "SELECT late_rank, cause, sum(ns) FROM blame WHERE late_rank IS NOT NULL GROUP BY 1, 2")
    assert blamed[3, "host_stall"] > 0.99 * sum(blamed.values())


def test_the_late_rank_arrives_last(database, job):
    if "late_rank" not in str(job.logs):
        pytest.skip("this job has no late rank")
    last = dictionary(database, "SELECT last_rank, sum(others_waited_ns) FROM last_arrivals GROUP BY 1")
    assert max(last, key=last.get) == 3
    assert database.execute("SELECT rank FROM rank_waits").fetchone() == (3,)


def test_references_lead_somewhere(database):
    for table, column, other in (("spans", "call_id", "calls"), ("spans", "name_id", "names"),
                                 ("spans", "stream_id", "streams"), ("spans", "member_id", "collective_members"),
                                 ("calls", "name_id", "names"), ("calls", "thread_id", "threads"),
                                 ("calls", "outer_call_id", "calls"), ("ranges", "name_id", "names"),
                                 ("collective_members", "collective_id", "collectives")):
        key = "call_id" if column == "outer_call_id" else column
        lost = f"SELECT count(*) FROM {table} WHERE {column} NOT IN (SELECT {key} FROM {other})"
        assert database.execute(lost).fetchone() == (0,), f"{table}.{column}"
    lists = {"span_list": "spans", "call_list": "calls", "range_list": "ranges"}
    for view, table in lists.items():
        assert database.execute(f"SELECT count(*) FROM {view}").fetchall() == database.execute(
            f"SELECT count(*) FROM {table}").fetchall()


def test_work_lies_in_its_step_on_the_runs_clock(database):
    outside = """SELECT count(*) FROM spans JOIN steps USING (rank, step)
                 WHERE start_ns NOT BETWEEN device_start_ns AND device_end_ns"""
    assert database.execute(outside).fetchone() == (0,)
    early = "SELECT count(*) FROM spans JOIN calls USING (call_id) WHERE spans.start_ns < calls.start_ns"
    assert database.execute(early).fetchone() == (0,)


def test_csv_has_the_same_tables(job, export, database):
    folder = export(job.logs, "csv", "tables")
    tables = [table for table in tables_of(database) if table != "columns"]
    assert sorted(path.stem for path in folder.iterdir()) == sorted(tables)
    for table in tables:
        with open(folder / f"{table}.csv", newline="", encoding="utf-8") as file:
            names, *rows = csv.reader(file)
        cursor = database.execute(f"SELECT * FROM {table}")
        assert names == [column[0] for column in cursor.description]
        reals = {name for _, name, kind, *_ in database.execute(f"PRAGMA table_info({table})") if kind == "REAL"}
        comparable = [[as_text(cell, name in reals) for cell, name in zip(row, names)] for row in rows]
        assert sorted(comparable) == sorted([as_text(cell, False) for cell in row] for row in cursor), table


def as_text(cell, is_real):
    """The text of a cell of either format."""
    return "" if cell in (None, "") else repr(float(cell)) if is_real else str(cell)


def test_hostile_names_stay_text(hostile_job, export):
    names = {kernel["name"] for kernel in hostile_job.report["kernels"]}
    assert set(HOSTILE_NAMES[:-1]) <= names
    database = sqlite3.connect(export(hostile_job.logs, "sqlite"))
    assert {name for (name,) in database.execute("SELECT name FROM span_list")} == names
    folder = export(hostile_job.logs, "csv", "tables")
    with open(folder / "names.csv", newline="", encoding="utf-8") as file:
        assert {row["name"] for row in csv.DictReader(file)} >= names


def test_every_table_and_view_is_documented(database):
    for table in tables_of(database):
        chapter = DOCUMENT[DOCUMENT.index(f"### `{table}`"):].split("\n###")[0]
        for column in database.execute(f"SELECT * FROM {table}").description:
            assert f"`{column[0]}`" in chapter, f"{table}.{column[0]}"
    for (view,) in database.execute("SELECT name FROM sqlite_master WHERE type = 'view'"):
        assert f"| `{view}` |" in DOCUMENT
    meanings = database.execute("SELECT count(DISTINCT table_name) FROM columns").fetchone()[0]
    assert meanings == len(tables_of(database)) - 1


def test_the_examples_of_the_documentation_run(database):
    examples = re.findall(r"```sql\n(.*?)```", DOCUMENT.split("\n## sqlite")[1], re.DOTALL)
    assert examples
    for example in examples:
        for statement in filter(str.strip, example.split(";")):
            assert database.execute(statement).fetchall(), statement
