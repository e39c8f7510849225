"""How long a run of several ranks is waited for."""

import subprocess
import sys
import time

import runs


def start(text):
    return subprocess.Popen([sys.executable, "-c", text])


def test_a_rank_that_waits_for_one_that_failed_is_not_waited_for(monkeypatch):
    monkeypatch.setattr(runs, "AFTER_FAILURE_S", 0.5)
    ranks = [start("import sys; sys.exit(1)"), start("import time; time.sleep(60)")]
    begin = time.monotonic()
    assert not runs.wait_for_all(ranks, 50)
    assert time.monotonic() - begin < 20
    ranks[1].kill()
    ranks[1].wait()


def test_ranks_that_end_well_are_waited_for(monkeypatch):
    monkeypatch.setattr(runs, "AFTER_FAILURE_S", 0)
    assert runs.wait_for_all([start(""), start("import time; time.sleep(1)")], 50)
