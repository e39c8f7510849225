"""tauprof demo: from one command to a report that names the slow rank."""

import os
import subprocess

import printed_tables
import pytest


@pytest.fixture
def demo(tmp_path):
    def run(*options):
        return subprocess.run([os.environ["TAUPROF_BIN"], "demo", *options], capture_output=True, text=True, cwd=tmp_path)

    return run


def test_the_demo_names_the_slow_rank(demo, tmp_path):
    done = demo()
    assert done.returncode == 0, done.stderr
    assert "rank 2 computes 20 % slower" in done.stderr
    assert "VERDICT" in done.stdout and "Rank 2 holds up the others" in done.stdout
    assert len(list((tmp_path / "tauprof-demo").glob("*.tauprof"))) == 4
    printed_tables.check(os.environ["TAUPROF_BIN"], tmp_path / "tauprof-demo", "--show", "all")


def test_one_rank_has_nobody_to_wait_for(demo, tmp_path):
    done = demo("--ranks", "1", "-o", "logs")
    assert done.returncode == 0, done.stderr
    assert "slower" not in done.stderr
    assert len(list((tmp_path / "logs").glob("*.tauprof"))) == 1


@pytest.mark.parametrize("ranks", ["0", "100", "-1", "two", ""])
def test_a_bad_number_of_ranks_is_refused(demo, tmp_path, ranks):
    done = demo("--ranks", ranks)
    assert done.returncode == 2 and "--ranks" in done.stderr
    assert list(tmp_path.iterdir()) == []
