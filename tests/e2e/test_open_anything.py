"""A command's input is recognised by content: logs, traces, folders of them in folders, operation traces, reports."""

import gzip
import json
import os
import pathlib
import shutil
import signal
import sqlite3
import subprocess
import time

import pytest

SETS = ["torchrec_sst2a", "param_dlrm_8rank", "hta_nccl_data_1of2", "straggler_whatif_AR"]


@pytest.fixture
def say(tauprof, tmp_path):
    """Runs tauprof with a folder for what it keeps for a while, in which nothing may stay."""
    scratch = tmp_path / "scratch"
    scratch.mkdir()

    def run(*words, status=0):
        done = subprocess.run([tauprof, *map(str, words)], capture_output=True, text=True, timeout=120,
                              env={**os.environ, "TMPDIR": str(scratch)})
        assert done.returncode == status, done.stderr
        assert list(scratch.iterdir()) == []
        return done

    return run


@pytest.fixture
def report(say):
    return lambda *words: json.loads(say("analyze", *words, "--json", "-").stdout)


@pytest.fixture
def traces(data_folder):
    return data_folder / "torchrec_sst2a"


def imported(say, source, logs, form="kineto"):
    say("import", form, source, "-o", logs)
    return logs


def without_names(document, source, logs):
    """A report without the id of its run, and with the input as the source."""
    document["run"]["id"] = None
    return json.loads(json.dumps(document).replace(str(logs), str(source)))


@pytest.mark.parametrize("name", SETS)
def test_traces_are_analysed_as_their_logs_are(say, report, data_folder, tmp_path, name):
    source = tmp_path / "job"
    shutil.copytree(data_folder / name, source)
    for expected in source.glob("expected-*.json"):
        expected.unlink()
    logs = imported(say, source, tmp_path / "logs", "ops-csv" if name == "straggler_whatif_AR" else "kineto")
    assert without_names(report(source), source, logs) == without_names(report(logs), source, logs)


def test_names_do_not_matter(say, report, traces, tmp_path):
    known = report(traces)
    for rank, trace in enumerate(sorted(traces.iterdir())):
        text = gzip.decompress(trace.read_bytes())
        (tmp_path / f"rank{rank}.{['txt', 'csv', 'tauprof.bak', 'gz'][rank]}").write_bytes(text)
    renamed = report(*sorted(tmp_path.glob("rank*")))
    assert renamed["ledger"] == known["ledger"] and renamed["stragglers"] == known["stragglers"]
    log = next(imported(say, traces, tmp_path / "logs").iterdir())
    shutil.move(log, tmp_path / "log.json")
    assert report(tmp_path / "log.json")["run"]["ranks"] == 1
    assert report(tmp_path)["run"]["ranks"] == 4  # with those in logs/, whose run it is


def test_files_of_several_ranks_are_one_run(report, traces):
    assert report(*sorted(traces.iterdir()))["ledger"] == report(traces)["ledger"]


def test_folders_of_iterations_are_runs(say, report, data_folder, tmp_path):
    for number, name in ((10, "torchrec_sst2a"), (20, "torchrec_sst5qb")):
        shutil.copytree(data_folder / name, tmp_path / "profile_trace" / f"iteration_{number}")
    folder = tmp_path / "profile_trace"
    done = say("analyze", folder)
    assert "2 runs; analysing the newest, kineto-iteration_20" in done.stderr and "4 of 4 ranks" in done.stdout
    assert report(folder)["ledger"] == report(data_folder / "torchrec_sst5qb")["ledger"]
    first = report(folder, "--run", "kineto-iteration_10")
    assert first["ledger"] == report(data_folder / "torchrec_sst2a")["ledger"]
    logs = imported(say, folder, tmp_path / "logs")
    assert {pathlib.Path(log).name for log in logs.iterdir()} == {
        f"rank-{rank}{twin}.tauprof" for rank in range(4) for twin in ("", "-2")}
    assert report(logs)["ledger"] == report(folder)["ledger"]


def test_other_commands_open_traces_too(say, traces, data_folder, tmp_path):
    logs = imported(say, traces, tmp_path / "logs")
    for words in (["why", "DIR", "1"], ["whatif", "DIR", "--fix", "rank:2"]):
        direct, known = (say(*[str(place) if word == "DIR" else word for word in words]) for place in (traces, logs))
        assert direct.stdout == known.stdout, words
    health = [say("health", place, status=5).stdout for place in (traces, logs)]
    assert health[0] == health[1]
    compared = [json.loads(say("diff", a, "--against", data_folder / "torchrec_sst5qb", "--json", "-").stdout)["step"]
                for a in (traces, logs)]
    assert compared[0] == compared[1]
    spans = []
    for place in (traces, logs):
        say("export", place, "-f", "sqlite", "-o", tmp_path / "run.sqlite")
        with sqlite3.connect(tmp_path / "run.sqlite") as database:
            spans.append(database.execute("SELECT rank, count(*), sum(duration_ns) FROM spans GROUP BY rank").fetchall())
            files = [row[0] for row in database.execute("SELECT log FROM ranks ORDER BY rank")]
        (tmp_path / "run.sqlite").unlink()
        assert files == sorted(str(file) for file in place.iterdir())
    assert spans[0] == spans[1]


def test_a_report_is_seen_by_its_schema(say, traces, tmp_path):
    say("analyze", traces, "--json", tmp_path / "today")
    assert "a report that tauprof wrote" in say("analyze", tmp_path / "today", status=3).stderr
    of_report, of_traces = (json.loads(say("diff", a, "--against", traces, "--json", "-").stdout)["step"]
                            for a in (tmp_path / "today", traces))
    assert of_report == of_traces


def test_logs_come_before_the_traces_beside_them(say, report, traces, tmp_path):
    both = tmp_path / "both"
    shutil.copytree(traces, both)
    imported(say, both, both / "logs")
    (both / "logs" / "rank-3.pt.trace.tauprof").unlink(missing_ok=True)
    said = say("analyze", both).stderr
    assert "both: holds logs, which are read, and 4 traces, not read" in said
    direct = tmp_path / "direct"
    shutil.copytree(traces, direct)
    imported(say, direct, direct)
    assert report(direct)["ledger"] == report(traces)["ledger"]


def test_a_second_import_is_no_second_run(say, traces, data_folder, tmp_path):
    logs = imported(say, traces, tmp_path / "logs")
    before = sorted(logs.iterdir())
    refused = say("import", "kineto", traces, "-o", logs, status=3).stderr
    assert "holds these traces already, as run kineto-" in refused and "choose another directory with -o" in refused
    one = say("import", "kineto", traces / "rank-0.pt.trace.json.gz", "-o", logs, status=3).stderr
    assert "holds this trace already" in one
    assert sorted(logs.iterdir()) == before
    other = say("import", "kineto", data_folder / "torchrec_sst5qb", "-o", logs)
    assert "now holds 2 runs: kineto-" in other.stdout and "--run ID" in other.stdout
    job = data_folder / "straggler_whatif_AR"
    imported(say, job, tmp_path / "ops", "ops-csv")
    assert "holds this trace already" in say("import", "ops-csv", job, "-o", tmp_path / "ops", status=3).stderr


def test_what_is_damaged_or_foreign_is_said(say, report, traces, tmp_path):
    job = tmp_path / "job"
    shutil.copytree(traces, job)
    whole = gzip.decompress((job / "rank-0.pt.trace.json.gz").read_bytes())
    (job / "rank-0.pt.trace.json.gz").write_bytes(gzip.compress(whole[:len(whole) // 2]))
    (job / "rank-3.pt.trace.json.gz").write_bytes(b"")
    (job / "notes.json").write_text('{"a": 1}')
    (job / "README").write_text("traces of Monday")
    said = say("analyze", job).stderr
    assert "rank-0.pt.trace.json.gz: cut short at byte" in said
    assert "rank-3.pt.trace.json.gz: the file is empty" in said
    assert "notes.json: no traceEvents in 8 bytes of JSON" in said and "README" not in said
    assert report(job)["quality"]["files"]["skipped"] == 2
    checked = say("check", job, status=4).stdout
    assert "cut short at byte" in checked and "rank-1.pt.trace.json.gz: ok" in checked
    assert "rank-1.pt.trace.json.gz: ok" in say("check", traces).stdout


def test_a_trace_of_a_large_job_has_its_events_late(say, report, traces, tmp_path):
    """The ranks of thousands of process groups come before them."""
    trace = json.loads(gzip.decompress((traces / "rank-0.pt.trace.json.gz").read_bytes()))
    groups = [{"pg_name": str(number), "ranks": list(range(100))} for number in range(5_000)]
    events = trace.pop("traceEvents")
    (tmp_path / "late").write_text(json.dumps({**trace, "groups": groups, "traceEvents": events}))
    assert (tmp_path / "late").read_text().index('"traceEvents"') > 2_000_000
    assert report(tmp_path)["ledger"] == report(traces / "rank-0.pt.trace.json.gz")["ledger"]


def test_other_json_is_not_read(say, traces, tmp_path):
    shutil.copy(traces / "rank-0.pt.trace.json.gz", tmp_path)
    (tmp_path / "data").write_text('[{"text": "%s"}, {"ph": "X"}]' % ("a" * 1_000_000))
    (tmp_path / "notebook").write_text(json.dumps({"cells": ['{"traceEvents": []}']}))
    assert "1 of 4 ranks" in say("analyze", tmp_path).stdout
    assert "no traceEvents in" in say("analyze", tmp_path / "notebook", status=3).stderr


def test_what_cannot_be_opened_is_one_line(say, traces, tmp_path):
    (tmp_path / "a.txt").write_text("nothing")
    (tmp_path / "profile.nsys-rep").write_bytes(b"\x00\x01")
    assert "a.txt: not a tauprof log" in say("analyze", tmp_path / "a.txt", status=3).stderr
    line = f"nsys export --type sqlite -o {tmp_path}/profile.sqlite {tmp_path}/profile.nsys-rep"
    assert line in say("analyze", tmp_path / "profile.nsys-rep", status=3).stderr
    assert line in say("analyze", tmp_path, status=3).stderr
    (tmp_path / "profile.nsys-rep").unlink()
    assert "nor a trace of another tool" in say("analyze", tmp_path, status=3).stderr
    assert "no such file" in say("analyze", tmp_path / "nowhere", status=3).stderr


def test_a_dump_shows_what_a_trace_becomes(say, traces, tmp_path):
    logs = imported(say, traces, tmp_path / "logs")
    trace = traces / "rank-1.pt.trace.json.gz"
    known = say("dump", logs / "rank-1.tauprof", "--kind", "device_activity").stdout.splitlines()[1:]
    assert say("dump", trace, "--kind", "device_activity").stdout.splitlines()[1:] == known
    assert "a dump is about one" in say("dump", traces, status=3).stderr


def test_an_interrupted_command_leaves_nothing(tauprof, tmp_path):
    """A trace that takes seconds; the signal comes when its log has begun."""
    trace, scratch = tmp_path / "rank-0.json", tmp_path / "scratch"
    scratch.mkdir()
    event = '{"ph":"X","cat":"cpu_op","name":"a","pid":1,"tid":1,"ts":%d,"dur":1}'
    with open(trace, "w") as file:
        file.write('{"traceEvents": [' + event % 0)
        for start in range(1, 3000):
            file.write("".join("," + event % (2 * (1000 * start + i)) for i in range(1000)))
        file.write("]}")
    process = subprocess.Popen([tauprof, "analyze", trace], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL,
                               preexec_fn=lambda: signal.signal(signal.SIGINT, signal.SIG_DFL),
                               env={**os.environ, "TMPDIR": str(scratch)})
    deadline = time.monotonic() + 60
    while not list(scratch.glob("*/.*.partial")):
        assert time.monotonic() < deadline and process.poll() is None
        time.sleep(0.001)
    assert os.stat(next(scratch.iterdir())).st_mode & 0o077 == 0
    process.send_signal(signal.SIGINT)
    assert process.wait(timeout=60) == -signal.SIGINT
    assert list(scratch.iterdir()) == []
