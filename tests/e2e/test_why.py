"""tauprof why: the chain from a wait to its first cause, with times that the exported tables have."""

import re
import sqlite3
import subprocess

import pytest

JOB = "--ranks 4 --steps 12"


@pytest.fixture
def generate(tauprof_generate, tmp_path):
    def make(options, name="logs"):
        subprocess.run([tauprof_generate, *options.split(), "--out", str(tmp_path / name)], check=True)
        return tmp_path / name

    return make


@pytest.fixture
def run_why(tauprof):
    def ask(logs, whose, *options):
        return subprocess.run([tauprof, "why", logs, whose, *options], capture_output=True, text=True, check=False,
                              timeout=60)

    return ask


@pytest.fixture
def why(run_why):
    def ask(logs, whose):
        done = run_why(logs, whose)
        assert done.returncode == 0 and done.stderr == "", done.stderr
        assert len(done.stdout.splitlines()) <= 12, done.stdout
        return " ".join(done.stdout.split())

    return ask


@pytest.fixture
def tables(tauprof, tmp_path):
    def of(logs, *options):
        subprocess.run([tauprof, "export", logs, "-f", "sqlite", "-o", tmp_path / "run.db", *options], check=True)
        return sqlite3.connect(tmp_path / "run.db")

    return of


def has_time(text, ns):
    """Whether a text has a time, to four digits."""
    units = {"s": 1e9, "ms": 1e6, "us": 1e3, "ns": 1}
    times = [float(number) * units[unit] for number, unit in re.findall(r"([\d.]+) (s|ms|us|ns)\b", text)]
    return any(abs(time - ns) <= max(1, 6e-4 * ns) for time in times)


@pytest.mark.parametrize("options,rank,cause,words", [
    ("--stall 3:*=20ms", 3, "host_stall", "its host is stalled"),
    ("--slow-rank 2=1.5", 2, "slow_compute", "its kernels run slower"),
    ("--data-wait 1:*=20ms --marked-data-wait", 1, "data_wait", "it waits for input"),
    ("--allocation 2:*=20ms", 2, "allocation", "it allocates and frees"),
    ("--hosts 2 --stall 3:*=20ms --clock-offset 3=5ms", 3, "host_stall", "its host is stalled"),
])
def test_the_first_cause_is_the_one_that_was_injected(generate, why, options, rank, cause, words):
    text = why(generate(f"{JOB} {options}"), "0")
    assert re.search(rf"\d+ % for rank {rank} \({cause}\)", text), text
    assert f"First cause: rank {rank}, {words}" in text


def test_each_time_is_in_the_exported_tables(generate, why, tables):
    logs = generate(f"{JOB} --stall 3:6=20ms")
    text = why(logs, "0@6")
    database = tables(logs, "--steps", "6")
    collective, = map(int, re.findall(r"1\. step 6, collective (\d+) ", text))
    row = database.execute("SELECT wait_ns FROM collective_members WHERE collective_id = ? AND rank = 0", [collective])
    assert has_time(text, row.fetchone()[0])
    charged = """SELECT sum(ns) FROM blame WHERE collective_id = ? AND waiting_rank = 0 AND late_rank = 3
                 AND cause = 'host_stall'"""
    assert has_time(text, database.execute(charged, [collective]).fetchone()[0])
    summary = "SELECT sum(ns) FROM blame WHERE waiting_rank = 0"
    assert has_time(text, database.execute(summary).fetchone()[0])
    arrivals = dict(database.execute("SELECT rank, start_ns FROM collective_members WHERE collective_id = ?", [collective]))
    assert has_time(text, arrivals[3] - arrivals[0])
    assert has_time(text, database.execute("SELECT device_ns FROM steps WHERE rank = 0 AND step = 6").fetchone()[0])
    in_step, = re.findall(r"idle_host_stall .*? in step (\d+),", text)
    ledger = "SELECT sum(ns) FROM ledger WHERE rank = 3 AND step = ? AND row = 'idle_host_stall'"
    assert has_time(text, tables(logs).execute(ledger, [in_step]).fetchone()[0])
    silence, before, after = re.findall(r"no call for ([\d.]+) ms between .*? \(calls (\d+), (\d+)\)", text)[0]
    calls = {call: (start, start + length) for call, start, length in
             database.execute("SELECT call_id, start_ns, duration_ns FROM calls WHERE rank = 3")}
    assert float(silence) == pytest.approx((calls[int(after)][0] - calls[int(before)][1]) / 1e6, rel=1e-3)
    assert float(silence) == pytest.approx(20, rel=0.05)


def test_a_wait_for_a_rank_that_was_made_late_leads_to_who_made_it_late(generate, why):
    """Ranks 0 and 1 share tensors, and so do 2 and 3; gradients go between the pairs. Rank 3 stalls, rank 2 waits for it,
    and ranks 0 and 1 wait for rank 2 or 3."""
    text = why(generate(f"{JOB} --tensor-parallel 2 --stall 3:*=20ms"), "0")
    assert "First cause: rank 3, its host is stalled" in text
    assert re.search(r"rank 2 came [\d.]+ ms later, and brought that from collective (\d+) 2\. step \d+, collective \1 ", text), text


def test_a_rank_that_waits_for_nobody_says_so(generate, why):
    assert why(generate("--ranks 1 --steps 6"), "0") == "rank 0 waited for nobody in 6 steps"


def test_waiting_that_is_nobodys_fault_names_nobody(generate, why):
    text = why(generate("--ranks 4 --pipeline 4 --micro-batches 4 --steps 8"), "3")
    assert "100 % for nobody " in text and "nature of a pipeline" in text and "First cause" not in text


def test_waiting_that_cannot_be_told_says_why(generate, run_why):
    done = run_why(generate(f"{JOB} --missing 2"), "0")
    assert done.returncode == 0 and "how long rank 0 waited is not known" in done.stdout


@pytest.mark.parametrize("whose", ["x", "-1", "1,2", "0@", "0@x", "0@1:2", "@3", ""])
def test_what_is_no_rank_is_wrong_usage(generate, run_why, whose):
    done = run_why(generate("--ranks 2 --steps 4"), whose)
    assert done.returncode == 2 and len(done.stderr.splitlines()) == 1 and "tauprof why" in done.stderr


@pytest.mark.parametrize("whose,said", [("7", "rank 7 has no log in this run; it has ranks 0, 1"),
                                        ("0@99", "step 99 is none of those analysed, which are ")])
def test_what_the_run_lacks_is_one_line_and_status_3(generate, run_why, whose, said):
    done = run_why(generate("--ranks 2 --steps 4"), whose)
    assert done.returncode == 3 and done.stdout == "" and len(done.stderr.splitlines()) == 1 and said in done.stderr


def test_chosen_steps_are_those_that_are_asked_about(generate, run_why):
    logs = generate(f"{JOB} --stall 3:4=20ms --stall 1:8=9ms")
    early, late = (run_why(logs, "0", "--steps", steps).stdout for steps in ("2:6", "7:10"))
    assert "First cause: rank 3," in early and "in 8 collectives of 5 steps" in early
    assert "First cause: rank 1," in late and "of 4 steps" in late
    assert run_why(logs, "0@4", "--steps", "2:6").returncode == 0
    outside = run_why(logs, "0@8", "--steps", "2:6")
    assert outside.returncode == 3 and "step 8 is none of those analysed" in outside.stderr


def test_a_wait_for_most_ranks_is_blamed_on_what_they_did(generate, why, tables):
    logs = generate("--ranks 4 --steps 8 --stall 1:4=50ms --stall 2:4=50ms --stall 3:4=50ms")
    text = why(logs, "0@4")
    assert "idle_host_stall 49." in text and "in step 4" in text and "made no call for 50.00 ms" in text
    causes = dict(tables(logs).execute("SELECT late_rank, SUM(ns) FROM blame WHERE cause = 'host_stall' AND step = 4 "
                                       "GROUP BY late_rank"))
    assert causes == pytest.approx({rank: 49.06e6 / 3 for rank in (1, 2, 3)}, rel=0.05)
