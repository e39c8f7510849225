"""`python -m tauprof.cluster`: tasks that reduce host by host, whoever runs them."""

import os
import pathlib
import shutil
import subprocess
import sys

import pytest
from programs import program

from conftest import PACKAGE

JOB = "--ranks 8 --hosts 4 --steps 10 --stall 2:3=30ms"


@pytest.fixture
def job(tmp_path):
    subprocess.run([program("TAUPROF_GENERATE"), *JOB.split(), "--out", tmp_path / "logs"], check=True,
                   capture_output=True)
    subprocess.run(["tauprof", "analyze", "logs", "--json", "expected.json"], check=True, capture_output=True, cwd=tmp_path)
    return tmp_path


def call(job, *words, before=(), tauprof="TAUPROF_BIN"):
    environment = {**os.environ, "PYTHONPATH": str(PACKAGE),
                   "TAUPROF_PROGRAM": str(program(tauprof) if tauprof == "TAUPROF_BIN" else tauprof)}
    return subprocess.run([*before, sys.executable, *(["-m", "mpi4py"] if before else []), "-m", "tauprof.cluster",
                           *words], cwd=job, env=environment, capture_output=True, text=True, timeout=120)


def has_right_report(job):
    return (job / "report.json").read_bytes() == (job / "expected.json").read_bytes()


def test_processes_of_this_machine(job):
    done = call(job, "analyze", "logs", "-o", "timelines", "--workers", "2", "--", "--json", "report.json")
    assert done.returncode == 0, done.stderr
    assert has_right_report(job)


@pytest.mark.full
def test_mpi(job):
    pytest.importorskip("mpi4py")
    mpirun = shutil.which("mpirun") or pytest.skip("no mpirun")
    options = [] if "Hydra" in subprocess.run([mpirun, "--version"], capture_output=True, text=True).stdout else [
        "--allow-run-as-root", "--oversubscribe"]
    done = call(job, "analyze", "logs", "-o", "timelines", "--engine", "mpi", "--", "--json", "report.json",
                before=[mpirun, *options, "-n", "3"])
    assert done.returncode == 0, done.stderr
    assert has_right_report(job)


@pytest.mark.full
def test_dask(job):
    pytest.importorskip("distributed")
    done = call(job, "analyze", "logs", "-o", "timelines", "--engine", "dask", "--workers", "2", "--", "--json",
                "report.json")
    assert done.returncode == 0, done.stderr
    assert has_right_report(job)


def test_a_task_that_dies_costs_its_host_until_the_next_call(job):
    dying = job / "dying"
    dying.write_text(f'#!/bin/sh\n[ "$1" = reduce ] && [ ! -e {job}/died ] && touch {job}/died && kill -9 $$\n'
                     f'exec {program("TAUPROF_BIN")} "$@"\n')
    dying.chmod(0o755)
    first = call(job, "analyze", "logs", "-o", "timelines", "--", "--json", "report.json", tauprof=dying)
    assert first.returncode == 4
    assert "1 of the hosts' logs are not all reduced" in first.stderr
    assert "2 of 8 ranks have no log here" in first.stderr
    before = {file.name: file.stat().st_mtime_ns for file in (job / "timelines").iterdir()}
    assert len(before) == 3
    second = call(job, "analyze", "logs", "-o", "timelines", "--", "--json", "report.json", tauprof=dying)
    assert second.returncode == 0, second.stderr
    assert has_right_report(job)
    assert len(list((job / "timelines").iterdir())) == 4


def test_what_is_wrong_is_said_in_a_line(job):
    (job / "empty").mkdir()
    for folder, words in (("nowhere", "No such file"), ("empty", "no *.tauprof files")):
        done = call(job, "analyze", folder, "-o", "timelines")
        assert done.returncode == 1 and words in done.stderr and "Traceback" not in done.stderr
    assert not pathlib.Path(job / "timelines").exists()
