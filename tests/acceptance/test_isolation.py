"""No check takes the others along: one that hangs, dies or breaks is one failed outcome, and nothing of it lives on."""

import os
import time

import isolation
import pytest
from check import Check, Lacked
from one_check import look

SETTINGS = {"minutes": 1, "keep": False}


class Nothing:
    """A trial that has run no program."""

    def __init__(self, check):
        self.check, self.wrong, self.evidence, self.runs = check, [], {}, self

    def said(self):
        return ""


def outcome_of_script(monkeypatch, tmp_path, text, timeout_s=30):
    script = tmp_path / "script.py"
    script.write_text(text, encoding="utf-8")
    monkeypatch.setattr(isolation, "ONE_CHECK", script)
    [outcome] = isolation.Checks([Check("name", "", None, timeout_s)], SETTINGS, tmp_path).outcomes()
    return outcome


def test_a_check_that_hangs_is_killed_with_all_that_it_started(monkeypatch, tmp_path):
    pid_file = tmp_path / "pid"
    outcome = outcome_of_script(monkeypatch, tmp_path, f"""
import pathlib, subprocess, time
pathlib.Path({str(pid_file)!r}).write_text(str(subprocess.Popen(["sleep", "1000"]).pid))
time.sleep(1000)
""", timeout_s=8)  # a busy machine needs some to start Python
    assert (outcome.outcome, outcome.why) == ("failed", ["not done after 8 s"])
    pid = int(pid_file.read_text(encoding="ascii"))
    end = time.monotonic() + 30
    while is_alive(pid):
        assert time.monotonic() < end
        time.sleep(0.01)


def is_alive(pid):
    try:
        with open(f"/proc/{pid}/stat", encoding="ascii") as file:
            return file.read().rpartition(")")[2].split()[0] not in "ZX"
    except OSError:
        return False


def test_a_check_whose_process_dies_says_how(monkeypatch, tmp_path):
    outcome = outcome_of_script(monkeypatch, tmp_path, "import os; print('last words', flush=True); os.abort()")
    assert outcome.outcome == "failed"
    assert outcome.why == ["the check's own process ended with -6"]
    assert "last words" in outcome.output


@pytest.mark.parametrize("has_failed", [False, True])
def test_what_is_lacking_hides_no_failure(has_failed):
    def lacks(trial):
        trial.wrong += ["something"] * has_failed
        raise Lacked("a thing")

    outcome = look(Nothing(Check("name", "", lacks)))
    assert (outcome.outcome, outcome.why) == (("failed", ["something"]) if has_failed else ("lacked", ["a thing"]))


def test_a_check_that_breaks_has_failed():
    outcome = look(Nothing(Check("name", "", lambda trial: os.stat("/nonexistent"), measures=True)))
    assert outcome.outcome == "failed"
    assert outcome.why[0].startswith("the check broke: FileNotFoundError")


def test_checks_run_at_the_same_time_but_for_those_that_measure(monkeypatch, tmp_path):
    script = tmp_path / "script.py"
    script.write_text(f"""
import pathlib, sys, time
times = pathlib.Path({str(tmp_path)!r}) / (sys.argv[1] + ".times")
begin = time.monotonic()
time.sleep(1)
times.write_text(f"{{begin}} {{time.monotonic()}}")
""", encoding="utf-8")
    monkeypatch.setattr(isolation, "ONE_CHECK", script)
    checks = [Check("alone", "", None, measures=True), Check("one", "", None), Check("two", "", None)]
    names = [outcome.check for outcome in isolation.Checks(checks, SETTINGS, tmp_path, jobs=3).outcomes()]
    times = {name: tuple(map(float, (tmp_path / f"{name}.times").read_text(encoding="ascii").split())) for name in names}
    assert times["two"][0] < times["one"][1] and times["one"][0] < times["two"][1]
    assert times["alone"][0] > max(times["one"][1], times["two"][1])
