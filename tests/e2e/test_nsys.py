"""Databases of `nsys export`: what is in them is in the logs, ranks' files are one run, and what cannot be is said."""

import collections
import json
import os
import random
import re
import sqlite3
import subprocess

import pytest

from nsys_database import BASE_NS, DOMAIN, MARK, START_END, Database, from_trace, global_pid

ALL_REDUCE = "ncclDevKernel_AllReduce_Sum_f32_RING_LL(ncclDevComm*, unsigned long, ncclWork*)"
US, MS = 1_000, 1_000_000


@pytest.fixture
def say(tauprof):
    def run(*words, status=0):
        done = subprocess.run([tauprof, *map(str, words)], capture_output=True, text=True, timeout=120)
        assert done.returncode == status, done.stderr
        return done

    return run


@pytest.fixture
def report(say):
    return lambda *words: json.loads(say("analyze", *words, "--json", "-").stdout)


def step(database, number, late=0, pid=100, device=0, at=None):
    """A step of 10 ms: a copy, a product, a fill, and an all-reduce that ends at 8 ms wherever it starts."""
    begin = number * 10 * MS if at is None else at
    database.nvtx(f"step {number}", begin, begin + 10 * MS, pid)
    where = {"pid": pid, "device": device}
    database.copy(begin + 100 * US, begin + 300 * US, 4_096, **where)
    database.kernel("ampere_sgemm_128x64_tn", begin + 400 * US, begin + 2 * MS + late, **where)
    database.fill(begin + 2_100 * US + late, begin + 2_200 * US + late, 512, **where)
    database.kernel(ALL_REDUCE, begin + 3 * MS + late, begin + 8 * MS, stream=20, **where)
    wait = database.call("cudaStreamSynchronize_v3020", begin + 8 * MS - 500 * US, begin + 8 * MS + 20 * US, pid)
    database.work("SYNCHRONIZATION", begin + 8 * MS - 500 * US, begin + 8 * MS + 20 * US, pid, device, 7, wait, syncType=3,
                  eventId=0)


def job(folder, ranks=2, steps=4, late_rank=1, **options):
    folder.mkdir(parents=True, exist_ok=True)
    for rank in range(ranks):
        database = Database(folder / f"report-rank{rank}.sqlite", **options)
        for number in range(steps):
            step(database, number, late=1 * MS if rank == late_rank else 0)
        database.write()
    return folder


def sums_by_sql(paths, table, name="NULL"):
    """(count, nanoseconds, bytes) by name, of some databases."""
    sums = collections.Counter()
    for path in paths:
        with sqlite3.connect(path) as database:
            for what, count, ns in database.execute(
                    f"SELECT {name}, count(*), sum(end - start) FROM CUPTI_ACTIVITY_KIND_{table} AS t GROUP BY 1"):
                sums[what, "count"] += count
                sums[what, "ns"] += ns
    return sums


def test_sums_are_those_of_sql(say, report, tmp_path):
    folder = job(tmp_path / "job")
    databases = sorted(folder.iterdir())
    kernels = sums_by_sql(databases, "KERNEL", "(SELECT value FROM StringIds WHERE id = demangledName)")
    reported = report(folder)
    assert reported["run"]["source"] == "nsys" and reported["run"]["devices"] == ["NVIDIA H100 80GB HBM3"]
    say("export", folder, "-f", "sqlite", "-o", tmp_path / "run.sqlite")
    with sqlite3.connect(tmp_path / "run.sqlite") as database:
        by_name = {name: (count, ns) for name, count, ns in database.execute(
            "SELECT name, count(*), sum(duration_ns) FROM spans JOIN names USING (name_id) GROUP BY 1")}
        launched = database.execute("SELECT count(*) FROM spans WHERE call_id IS NOT NULL").fetchone()[0]
    assert {name for name, _ in kernels} == {"ampere_sgemm_128x64_tn", ALL_REDUCE}
    for name in ("ampere_sgemm_128x64_tn", ALL_REDUCE):
        assert by_name[name] == (kernels[name, "count"], kernels[name, "ns"])
    for table, name in (("MEMCPY", "Memcpy HtoD (Pinned -> Device)"), ("MEMSET", "Memset (Device)")):
        of_sql = sums_by_sql(databases, table)
        assert by_name[name] == (of_sql[None, "count"], of_sql[None, "ns"])
    assert launched == 2 * 4 * 5  # each piece of device work and each wait has its call, by correlation


def test_ranks_files_are_one_run_and_waits_are_matched(report, tmp_path):
    reported = report(job(tmp_path / "job"))
    assert (reported["run"]["ranks"], reported["run"]["world_size"], reported["run"]["missing_ranks"]) == (2, 2, [])
    [reduced] = [one for one in reported["collectives"] if one["op"] == "all_reduce"]
    assert (reduced["count"], reduced["wait_ns"]) == (4, 4 * MS)  # rank 0 waits 1 ms in each
    assert reported["per_rank"][0]["ledger"]["exposed_comm_wait"] == 1 * MS * reported["steps"]["count"]


@pytest.mark.parametrize("has_operators", [False, True])
def test_a_recorded_job_has_the_waits_of_its_pytorch_traces(report, data_folder, tmp_path, has_operators):
    """torchrec on four V100, as nsys would have recorded it: waits and all else are the same to the nanosecond. Only
    with operators can a host that is stalled be told from one that launches."""
    source = data_folder / "torchrec_sst2a"
    for rank in range(4):
        from_trace(source / f"rank-{rank}.pt.trace.json.gz", tmp_path / f"rank{rank}.sqlite", 1000 + rank, has_operators)
    of_nsys, of_pytorch = report(tmp_path), report(source)
    waits = [[(one["op"], one["count"], one["wait_ns"]) for one in of["collectives"]] for of in (of_nsys, of_pytorch)]
    assert waits[0] == waits[1] and ("all_to_all", 15, 9_118_504_767) in waits[0]
    rows = [of["ledger"]["rows"] for of in (of_nsys, of_pytorch)]
    told_apart = ("idle_host_stall", "idle_host_launch")
    assert {row: ns for row, ns in rows[0].items() if row not in told_apart} == {
        row: ns for row, ns in rows[1].items() if row not in told_apart}
    assert sum(rows[0][row] for row in told_apart) == sum(rows[1][row] for row in told_apart)
    # Autograd's own functions are operators in PyTorch's traces alone.
    stalled = pytest.approx(rows[1]["idle_host_stall"], rel=1e-3) if has_operators else 0
    assert rows[0]["idle_host_stall"] == stalled
    assert of_nsys["overlap"] == of_pytorch["overlap"]
    assert [one["duration_ns"] for one in of_nsys["steps"]["list"]] == [
        one["duration_ns"] for one in of_pytorch["steps"]["list"]]
    assert of_nsys["verdict"]["class"] == of_pytorch["verdict"]["class"] == "straggler"


def test_processes_of_one_file_are_ranks_in_the_order_of_their_devices(say, report, tmp_path):
    database = Database(tmp_path / "node.sqlite", devices=2)
    for number in range(4):
        step(database, number, pid=300, device=0)
        step(database, number, late=1 * MS, pid=200, device=1)
    database.write()
    done = say("import", "nsys", tmp_path / "node.sqlite", "-o", tmp_path / "logs")
    assert "2 ranks, 1 run" in done.stdout and "ranks 0 to 1 are taken from the order of files and devices" in done.stderr
    reported = report(tmp_path / "logs")
    assert reported["run"]["host_names"] == ["node1"]
    [reduced] = [one for one in reported["collectives"] if one["op"] == "all_reduce"]
    assert reduced["wait_ns"] == 4 * MS and reported["per_rank"][0]["ledger"]["exposed_comm_wait"] > 0
    assert reported["per_rank"][1]["ledger"]["exposed_comm_wait"] == 0


def test_mpi_says_ranks(say, tmp_path):
    database = Database(tmp_path / "node.sqlite")
    database.connection.execute("CREATE TABLE MPI_RANKS (globalPid INTEGER, rank INTEGER)")
    for pid, rank in ((200, 5), (300, 4)):
        step(database, 0, pid=pid)
        database.add("MPI_RANKS", globalPid=global_pid(pid), rank=rank)
    database.write()
    say("import", "nsys", tmp_path / "node.sqlite", "-o", tmp_path / "logs")
    ranks = [re.search(r"rank=(\d)", say("dump", log, "--kind", "process").stdout)[1]
             for log in sorted((tmp_path / "logs").iterdir())]
    assert sorted(ranks) == ["4", "5"]


def test_ranges_marks_calls_and_losses(say, tmp_path):
    database = Database(tmp_path / "rank0.sqlite")
    database.nvtx("NCCL", 0, None, kind=DOMAIN, domain=3, by_id=False)
    database.nvtx("ncclAllReduce", 10 * US, 30 * US, domain=3)
    database.nvtx("load", 40 * US, 60 * US, kind=START_END, by_id=False)
    database.nvtx("epoch", 5 * US, None, kind=MARK)
    database.nvtx("never ended", 70 * US, None)
    step(database, 0)
    database.kernel("backwards", 90 * US, 80 * US)
    graph = database.call("cudaGraphLaunch_v10000", 9 * MS, 9 * MS + 5 * US)
    database.work("GRAPH_TRACE", 9_100 * US, 9_300 * US, 100, 0, 7, graph, graphId=12, graphExecId=13)
    database.add("ThreadNames", nameId=database.text("python"), globalTid=global_pid(100) | 100)
    database.write()
    done = say("import", "nsys", tmp_path / "rank0.sqlite", "-o", tmp_path / "logs")
    assert ("2 kernels, 1 copies, 1 memsets, 1 synchronizations, 7 runtime and driver calls, 3 annotations, 1 marks, "
            "1 launches of graphs") in done.stdout
    assert "1 begin or end without its other half" in done.stdout and "1 negative duration" in done.stdout
    dump = say("dump", tmp_path / "logs" / "rank0.tauprof").stdout
    assert re.search(r'^range .*name="ncclAllReduce" source=nvtx domain="NCCL" start=10000 duration=20000$', dump, re.M)
    assert re.search(r'^range .*name="load" source=nvtx_process start=40000 duration=20000$', dump, re.M)
    assert re.search(r'^mark .*name="epoch" source=nvtx time=5000$', dump, re.M)
    assert re.search(r'^thread thread=1 os_id=100 name="python" is_main=1$', dump, re.M)
    assert re.search(r'^device_activity activity=graph .*name="CUDA graph" .*graph=12', dump, re.M)
    assert re.search(r'^device_activity activity=synchronization .*name="Stream Sync"', dump, re.M)
    assert 'function="cudaLaunchKernel"' in dump and "_v7000" not in dump
    assert re.search(r"grid_x=8 grid_y=2 grid_z=1 block_x=128 block_y=1 block_z=1 shared_memory=1040 registers=32", dump)
    assert say("check", tmp_path / "rank0.sqlite", status=4).stdout.endswith("records read; the recorder dropped 1 "
                                                                            "(negative duration); the recorder dropped 1 "
                                                                            "(begin or end without its other half)\n")


def test_exports_of_old_versions_have_fewer_columns(report, tmp_path):
    folder = job(tmp_path / "job", ranks=1)
    before = report(folder)["ledger"]["rows"]
    path = folder / "report-rank0.sqlite"
    with sqlite3.connect(path) as database:
        for table in ("KERNEL", "MEMCPY", "MEMSET", "SYNCHRONIZATION"):
            for column in ("globalPid", "greenContextId"):
                database.execute(f"ALTER TABLE CUPTI_ACTIVITY_KIND_{table} DROP COLUMN {column}")
        for table in ("TARGET_INFO_GPU", "TARGET_INFO_SESSION_START_TIME", "CUPTI_ACTIVITY_KIND_GRAPH_TRACE"):
            database.execute(f"DROP TABLE {table}")
    assert report(folder)["ledger"]["rows"] == before


def test_cycles_are_runs(say, tmp_path):
    for number, base in ((1, BASE_NS), (2, BASE_NS + 3_600_000_000_000)):
        job(tmp_path / "all" / f"cycle{number}", base_ns=base)
    said = say("analyze", tmp_path / "all").stderr
    assert "2 runs; analysing the newest" in said and "nsys-cycle2" in said
    say("import", "nsys", tmp_path / "all" / "cycle1", "-o", tmp_path / "logs")
    assert "holds these traces already" in say("import", "nsys", tmp_path / "all" / "cycle1", "-o", tmp_path / "logs",
                                               status=3).stderr


def test_what_cannot_be_used_is_one_line(say, tmp_path):
    Database(tmp_path / "empty.sqlite").write()
    assert "no work of a device" in say("analyze", tmp_path / "empty.sqlite", status=3).stderr
    with sqlite3.connect(tmp_path / "other.sqlite") as database:
        database.execute("CREATE TABLE StringIds (id INTEGER, value TEXT)")
    assert "not a tauprof log" in say("analyze", tmp_path / "other.sqlite", status=3).stderr
    assert "is no database of nsys" in say("import", "nsys", tmp_path / "other.sqlite", "-o", tmp_path / "logs",
                                           status=3).stderr
    [whole] = job(tmp_path / "job", ranks=1, steps=400).iterdir()
    text = whole.read_bytes()
    page = 4_096
    for kept in (1, 2, 8, len(text) // page // 2, len(text) // page - 1):
        whole.write_bytes(text[:kept * page])
        done = subprocess.run([os.environ["TAUPROF_BIN"], "analyze", whole], capture_output=True, text=True, timeout=60)
        assert done.returncode in (0, 3) and done.stderr.count("\n") <= 4, done.stderr
        assert done.returncode == 3 or "damaged: database disk image is malformed" in done.stderr


def test_changed_bytes_do_no_harm(tauprof, tmp_path):
    [whole] = job(tmp_path / "job", ranks=1, steps=3).iterdir()
    text, draw = whole.read_bytes(), random.Random(7)
    for _ in range(60):
        changed = bytearray(text)
        for _ in range(draw.randint(1, 40)):
            changed[draw.randrange(16, len(changed))] = draw.randrange(256)
        whole.write_bytes(changed)
        done = subprocess.run([tauprof, "analyze", whole, "--json", "-"], capture_output=True, timeout=10)
        assert done.returncode in (0, 3), done.stderr


def test_a_file_of_impossibly_many_processes_costs_little(tauprof, tmp_path):
    database = Database(tmp_path / "host.sqlite")
    name = database.text("k")
    for number in range(3_000):
        database.work("KERNEL", number, number + 1, number + 1, number, 7, number + 1, demangledName=name, shortName=name,
                      registersPerThread=1, gridX=1, gridY=1, gridZ=1, blockX=1, blockY=1, blockZ=1, staticSharedMemory=0,
                      dynamicSharedMemory=0, localMemoryPerThread=0, localMemoryTotal=0, gridId=1)
    database.write()
    done = subprocess.run([tauprof, "analyze", tmp_path / "host.sqlite"], capture_output=True, text=True, timeout=20)
    assert done.returncode == 0 and "3000 processes with work of a device, more than a host has" in done.stderr


def test_nothing_in_a_schema_runs(say, tmp_path):
    """A view where nsys has a table would compute for ever."""
    path = tmp_path / "rank0.sqlite"
    database = Database(path)
    step(database, 0)
    database.connection.execute("ALTER TABLE NVTX_EVENTS RENAME TO ranges")
    database.connection.execute(
        "CREATE VIEW NVTX_EVENTS AS WITH RECURSIVE n(start) AS (SELECT 0 UNION ALL SELECT start + 1 FROM n) "
        "SELECT start, start AS end, 59 AS eventType, 'x' AS text, 0 AS globalTid FROM n")
    database.write()
    done = subprocess.run([os.environ["TAUPROF_BIN"], "analyze", path], capture_output=True, text=True, timeout=10)
    assert done.returncode == 0 and "compute" in done.stdout
