"""tauprof demo: from one command to a report that names the slow rank."""

import os
import pathlib
import re
import signal
import subprocess
import time

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
    assert "VERDICT" in done.stdout and "Rank 2 delays the others" in done.stdout
    assert len(list((tmp_path / "tauprof-demo").glob("*.tauprof"))) == 4
    printed_tables.check(os.environ["TAUPROF_BIN"], tmp_path / "tauprof-demo", "--show", "all")


def test_one_rank_has_nobody_to_wait_for(demo, tmp_path):
    done = demo("--ranks", "1", "-o", "logs")
    assert done.returncode == 0, done.stderr
    assert "slower" not in done.stderr
    assert len(list((tmp_path / "logs").glob("*.tauprof"))) == 1


@pytest.mark.parametrize("words", [["demo"], ["run", "--null-gpu", "-o", "tauprof-demo", "--", "TRAINING", "--ranks", "2", "--steps", "100000"]])
def test_an_interrupted_run_on_simulated_gpus_leaves_logs_alone(tmp_path, words):
    """As Ctrl-C does it: the signal goes to the whole process group."""
    words = [os.environ["TAUPROF_TRAINING"] if word == "TRAINING" else word for word in words]
    memory = pathlib.Path("/dev/shm")
    process = subprocess.Popen([os.environ["TAUPROF_BIN"], *words], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL,
                               cwd=tmp_path, start_new_session=True,
                               preexec_fn=lambda: signal.signal(signal.SIGINT, signal.SIG_DFL))

    def shared_memory():
        owners = [re.search(r"-(\d+)-\w+\.tauprof$", log.name)[1] for log in tmp_path.glob("tauprof-demo/*.tauprof")]
        return [path for owner in owners for path in memory.glob(f"simgpu-*-{owner}-*")]
    deadline = time.monotonic() + 60
    while not shared_memory():
        assert time.monotonic() < deadline and process.poll() is None
        time.sleep(0.01)
    os.killpg(process.pid, signal.SIGINT)
    assert process.wait(timeout=60) == 130
    assert not shared_memory()
    assert [path.name for path in tmp_path.iterdir()] == ["tauprof-demo"]


@pytest.mark.parametrize("ranks", ["0", "100", "-1", "two", ""])
def test_a_bad_number_of_ranks_is_refused(demo, tmp_path, ranks):
    done = demo("--ranks", ranks)
    assert done.returncode == 2 and "--ranks" in done.stderr
    assert list(tmp_path.iterdir()) == []
