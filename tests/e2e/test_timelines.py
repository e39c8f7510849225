"""Timelines (tauprof reduce) stand for their logs: the same report from either, and without logs all but the replay."""

import fcntl
import json
import os
import shutil
import subprocess

import pytest

JOBS = {
    "hosts": "--ranks 8 --hosts 4 --steps 12 --stall 2:3=30ms --clock-offset 3=5ms",
    "sharded": "--ranks 8 --hosts 2 --sharded --steps 20 --cpu-contention 3:5=4ms --drop 1:3=4 --gap 2:3=4ms "
               "--lose-collectives 1:5=2",
    "pipeline": "--ranks 4 --pipeline 4 --steps 6 --micro-batches 4",
    "interleaved": "--ranks 8 --hosts 2 --pipeline 4 --interleaved-batches --buffered-sends --pair-communicators "
                   "--steps 8 --wall-clock-error 3=4ms",
    "messages": "--ranks 4 --all-to-all-by-messages --steps 5",
    "sweep": "--ranks 2 --steps 6 --sweep-bytes 1024 1048576 16777216",
    "no_marks": "--ranks 2 --steps 6 --marker none --no-phase-ranges",
    "graph": "--ranks 4 --steps 6 --graph --missing 2",
    "devices": "--ranks 4 --devices-per-process 2 --steps 6",
    "loading": "--ranks 2 --steps 6 --data-wait 1:2=5ms,0:3=5ms --eval-every 2 --eval-batches 2 --varying-steps",
}
TRACES = ["torchrec_sst2a", "torchrec_sst5qb", "param_dlrm_8rank", "hta_nccl_data_1of2"]


@pytest.fixture
def say(tauprof, tmp_path):
    def run(*words, status=0):
        done = subprocess.run([tauprof, *map(str, words)], capture_output=True, text=True, timeout=120, cwd=tmp_path)
        assert done.returncode == status, done.stderr
        return done

    return run


@pytest.fixture
def generate(tauprof_generate, tmp_path):
    def run(options, name="logs"):
        subprocess.run([tauprof_generate, "--out", name, *options.split()], check=True, capture_output=True, cwd=tmp_path)
        return tmp_path / name

    return run


@pytest.fixture
def same_report(say, tmp_path):
    def check(logs, timelines):
        """From both, byte for byte."""
        texts = []
        for source in (logs, timelines):
            said = say("analyze", source, "--json", "report.json")
            texts.append((said.stdout, said.stderr.replace("timelines:", "logs:"), (tmp_path / "report.json").read_bytes()))
        assert texts[0] == texts[1]

    return check


@pytest.mark.parametrize("job", JOBS)
def test_jobs_have_the_same_report(say, generate, same_report, job):
    generate(JOBS[job])
    say("reduce", "logs", "-o", "timelines")
    same_report("logs", "timelines")


@pytest.mark.parametrize("name", TRACES)
def test_recorded_traces_have_the_same_report(say, same_report, data_folder, name):
    say("import", "kineto", data_folder / name, "-o", "logs")
    say("reduce", "logs", "-o", "timelines")
    same_report("logs", "timelines")


def test_files_of_hosts_come_in_any_order_and_from_any_place(say, generate, tmp_path):
    generate(JOBS["hosts"])
    say("reduce", "logs", "-o", "timelines")
    files = sorted((tmp_path / "timelines").glob("*.timeline"))
    assert [file.name for file in files] == [f"node{i}.timeline" for i in range(4)]
    say("analyze", "logs", "--json", "expected.json")
    apart = tmp_path / "apart"
    apart.mkdir()
    shutil.move(files[1], apart)
    say("analyze", files[3], apart, files[0], files[2], "--json", "report.json")
    assert (tmp_path / "report.json").read_bytes() == (tmp_path / "expected.json").read_bytes()


def test_all_commands_take_timelines_for_logs(say, generate):
    generate(JOBS["hosts"])
    say("reduce", "logs", "-o", "timelines")
    for words in (["whatif", "--fix", "rank:2"], ["analyze", "--steps", "3:5"], ["why", "2"], ["health"]):
        status = 5 if words[0] == "health" else 0
        assert (say(words[0], "logs", *words[1:], status=status).stdout.replace("logs", "timelines")
                == say(words[0], "timelines", *words[1:], status=status).stdout.replace("logs", "timelines"))


def test_without_logs_all_is_there_but_the_replay(say, generate, tmp_path):
    generate(JOBS["hosts"])
    say("reduce", "logs", "-o", "timelines")
    say("analyze", "logs", "--json", "expected.json")
    shutil.rmtree(tmp_path / "logs")
    say("analyze", "timelines", "--json", "report.json")
    expected, found = (json.loads((tmp_path / name).read_text()) for name in ("expected.json", "report.json"))
    same = [section for section in expected if found[section] == expected[section]]
    assert {"steps", "phases", "ledger", "overlap", "collectives", "kernels", "clock", "per_rank"} <= set(same), same
    assert "logs/rank-00007.tauprof is not there" in json.dumps(found)
    asked = say("whatif", "timelines", "--fix", "rank:2", status=0)
    assert "is not there" in asked.stdout + asked.stderr
    assert "is needed itself" in say("analyze", "timelines", "--steps", "3:5", status=3).stderr


def test_a_log_that_has_changed_is_not_its_timelines(say, generate, tmp_path):
    generate(JOBS["pipeline"])
    say("reduce", "logs", "-o", "timelines")
    os.utime(tmp_path / "logs" / "rank-00003.tauprof")
    say("analyze", "timelines", "--json", "report.json")
    assert "rank-00003.tauprof has changed since its timelines were made" in (tmp_path / "report.json").read_text()


def test_changed_logs_are_read_again(say, generate, same_report, tmp_path):
    generate(JOBS["pipeline"])
    say("reduce", "logs", "-o", "timelines")
    shutil.rmtree(tmp_path / "logs")
    generate(JOBS["pipeline"] + " --seed 7")
    assert "2 of them" not in say("reduce", "logs", "-o", "timelines").stdout
    same_report("logs", "timelines")


def test_what_is_done_is_not_done_again(say, generate, tmp_path):
    generate(JOBS["hosts"])
    say("reduce", "logs", "-o", "timelines")
    folder = tmp_path / "timelines"
    whole = {file.name: file.read_bytes() for file in folder.iterdir()}
    # As a call leaves it that is killed in its second file.
    (folder / "node3.timeline").unlink()
    part = folder / ".node2.timeline.4711.part"
    (folder / "node2.timeline").rename(part)
    os.truncate(part, len(whole["node2.timeline"]) * 2 // 3)
    said = say("reduce", "logs", "-o", "timelines").stdout
    assert "5 of them had been reduced before" in said
    assert {file.name: file.read_bytes() for file in folder.iterdir()} == whole


def test_a_call_leaves_alone_what_another_one_writes(say, generate, tmp_path):
    generate(JOBS["pipeline"])
    (tmp_path / "timelines").mkdir()
    part = tmp_path / "timelines" / ".node0.timeline.4711.part"
    with open(part, "wb") as another:
        another.write(b"not yet")
        another.flush()
        fcntl.flock(another, fcntl.LOCK_EX)
        say("reduce", "logs", "-o", "timelines")
        assert part.read_bytes() == b"not yet"
    say("reduce", "logs", "-o", "timelines")
    assert [file.name for file in (tmp_path / "timelines").iterdir()] == ["node0.timeline"]


def test_one_file_that_is_bad_costs_its_own_ranks_alone(say, generate, tmp_path):
    generate(JOBS["hosts"])
    say("reduce", "logs", "-o", "timelines")
    shutil.rmtree(tmp_path / "logs")
    folder = tmp_path / "timelines"
    bytes_of_it = (folder / "node1.timeline").read_bytes()
    (folder / "node1.timeline").unlink()
    assert "2 of 8 ranks have no log here: 2 3" in say("analyze", "timelines").stderr
    (folder / "node1.timeline").write_bytes(bytes_of_it[:len(bytes_of_it) * 2 // 3])
    said = say("analyze", "timelines").stderr
    assert "node1.timeline: 1 log in it is incomplete" in said and "1 of 8 ranks have no log here: 3" in said
    (folder / "node1.timeline").write_bytes(bytes_of_it[:400])
    assert "node1.timeline: no log in it is complete" in say("analyze", "timelines").stderr
    assert "no log in it is complete" in say("analyze", folder / "node1.timeline", status=3).stderr
    (folder / "node1.timeline").write_bytes(b"nothing")
    said = say("analyze", "timelines").stderr
    assert "2 of 8 ranks have no log here: 2 3" in said


def test_bad_input_is_said(say, generate, tmp_path, data_folder):
    assert "tauprof import keeps their logs" in say("reduce", data_folder / "torchrec_sst2a", "-o", "timelines",
                                                    status=3).stderr
    assert "no such file" in say("reduce", "nowhere", "-o", "timelines", status=3).stderr
    (tmp_path / "empty").mkdir()
    assert "no tauprof log" in say("reduce", "empty", "-o", "timelines", status=3).stderr
    generate("--ranks 2 --steps 4")
    say("reduce", "logs", "-o", "timelines")
    assert "holds timelines already" in say("reduce", "timelines", "-o", "more", status=3).stderr
    assert "cannot be made" in say("reduce", "logs", "-o", "logs/rank-00000.tauprof", status=1).stderr
    (tmp_path / "names").write_text("rank-00000.tauprof\nno-such.tauprof\n")
    assert "no-such.tauprof: was asked for" in say("reduce", "logs", "--only", "names", "-o", "some").stderr


def test_a_file_of_timelines_can_be_checked(say, generate, tmp_path):
    generate("--ranks 2 --steps 4")
    say("reduce", "logs", "-o", "timelines")
    file = next((tmp_path / "timelines").iterdir())
    assert "ok" in say("check", file).stdout
    assert "reduced_log" in say("dump", file).stdout
    assert "reduced_log" in say("dump", "timelines").stdout
    os.truncate(file, file.stat().st_size - 100)
    assert "cut short" in say("check", file, status=4).stdout
