"""The installed wheel opens traces and databases of nsys, and writes databases: simdjson and SQLite are inside."""

import pathlib
import sqlite3
import subprocess
import sys

import pytest

from recorded_traces import RECORDED

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent / "e2e"))
from nsys_database import from_trace  # noqa: E402: the path comes first

TRACES = RECORDED / "torchrec_sst2a"


@pytest.fixture
def tauprof(installed, user_environment, tmp_path):
    def run(*words):
        done = subprocess.run([installed / "bin" / "tauprof", *map(str, words)], capture_output=True, text=True,
                              cwd=tmp_path, env=user_environment, timeout=120)
        assert done.returncode == 0, done.stderr
        return done.stdout

    return run


def answer(path, sql):
    with sqlite3.connect(path) as database:
        return database.execute(sql).fetchone()


def test_databases_of_nsys_are_opened_and_kernels_are_those_that_sql_counts(tauprof, tmp_path):
    reports = tmp_path / "reports"
    reports.mkdir()
    for rank, trace in enumerate(sorted(TRACES.iterdir())):
        from_trace(trace, reports / f"report-rank{rank}.sqlite", pid=100 + rank)
    assert "4 of 4 ranks" in tauprof("analyze", reports)
    tauprof("export", reports, "-f", "sqlite", "-o", "run.db")
    for rank in range(4):
        count, ns = answer(reports / f"report-rank{rank}.sqlite",
                           'SELECT count(*), sum("end" - start) FROM CUPTI_ACTIVITY_KIND_KERNEL')
        assert count > 100
        exported = f"SELECT count(*), sum(duration_ns) FROM spans WHERE kind = 'kernel' AND rank = {rank}"
        assert answer(tmp_path / "run.db", exported) == (count, ns)
