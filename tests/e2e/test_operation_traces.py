"""Operation traces of training jobs: the published answers, and those of a slow program that was written apart."""

import json
import pathlib
import random
import re
import subprocess

import pytest
from job_answers import analyze, differences, import_trace, published_answers, whatif_of
from oracle import training_job
from random_job import HEADING, make_rows, meta, random_shape, write

PUBLISHED = ["straggler_whatif_AR", *(f"ops-synthetic/{name}" for name in ("a", "c", "e", "g", "tiny"))]
JOBS = 60


@pytest.mark.parametrize("name", PUBLISHED)
def test_published_answers(tauprof, data_folder, tmp_path, name):
    folder = data_folder / name
    whatif = whatif_of(tauprof, folder, tmp_path / "logs")
    expected = json.loads((folder / "expected-result.json").read_text())
    assert whatif["job"] == expected.pop("job_meta")
    for answer, key in (("mw", "Mw"), ("ms", "Ms")):
        expected[answer] = json.loads((folder / f"expected-{answer}.json").read_text())
        assert list(differences(whatif[f"m_{answer[1]}"], expected[answer].pop(key))) == []
    assert list(differences(published_answers(whatif), expected)) == []


@pytest.mark.parametrize("seed", range(JOBS))
def test_random_jobs_have_the_answers_of_the_reference(tauprof, tmp_path, seed):
    rng = random.Random(seed)
    shape = random_shape(rng)
    rows = make_rows(rng, shape)
    path = write(tmp_path / "job", rows, meta(shape, rng), rng)
    whatif = whatif_of(tauprof, path, tmp_path / "logs")
    expected = training_job.answers(training_job.read_rows(path), shape.dsp)
    scores = expected.pop("rank_scores", None)
    assert list(differences(whatif["by_rank"], scores)) == [], shape
    assert list(differences(published_answers(whatif), expected)) == [], shape


def test_random_jobs_cover_the_model():
    shapes = [random_shape(random.Random(seed)) for seed in range(JOBS)]
    for holds in (lambda s: s.pp == 1, lambda s: s.vpp > 1 and s.pp > 2, lambda s: not s.uses_dp, lambda s: s.overlapped,
                  lambda s: s.lacks_first_receive, lambda s: s.extra_messages, lambda s: s.clock == "double",
                  lambda s: s.clock == "single", lambda s: s.dp == 1 and s.dsp > 1, lambda s: s.delay > 1):
        assert sum(map(holds, shapes)) >= 3


def test_chosen_steps_alone_are_answered(tauprof, tmp_path):
    rng = random.Random(7)
    shape = random_shape(rng)
    shape.steps = [3, 10, 11, 40]
    path = write(tmp_path / "job", make_rows(rng, shape), meta(shape, rng))
    whatif = whatif_of(tauprof, path, tmp_path / "logs", "--steps", "10:11")
    expected = training_job.answers(training_job.read_rows(path), shape.dsp, {10, 11})
    expected.pop("rank_scores", None)
    assert [step["step"] for step in whatif["by_step"]] == [10, 11]
    assert list(differences(published_answers(whatif), expected)) == []


def a_job(folder, seed=5):
    rng = random.Random(seed)
    shape = random_shape(rng)
    shape.dp, shape.pp, shape.vpp, shape.clock = 2, 2, 1, "zero"
    rows, facts = make_rows(rng, shape), meta(shape, rng)
    return rows, facts, write(folder, rows, facts)


def test_the_text_report_names_the_answers(tauprof, data_folder, tmp_path):
    assert import_trace(tauprof, data_folder / "straggler_whatif_AR", tmp_path).returncode == 0
    text = subprocess.run([tauprof, "analyze", tmp_path], capture_output=True, text=True, check=True).stdout
    assert re.search(r"S +1\.973 .*46\.34 s .*23\.4[89] s", text)
    assert re.search(r"operation +1\.581 backward-compute, 1\.369 forward-compute", text)
    assert re.search(r"M_W +100\.2 % .*rank 0:", text) and re.search(r"M_S +-0\.1 %", text)
    assert max(map(len, text.splitlines())) <= 120


def test_three_sentences_say_what_the_answers_mean(tauprof, data_folder, tmp_path):
    assert import_trace(tauprof, data_folder / "straggler_whatif_AR", tmp_path).returncode == 0
    text = " ".join(subprocess.run([tauprof, "analyze", tmp_path], capture_output=True, text=True, check=True).stdout.split())
    assert re.search(r"IN SHORT Stragglers make a step 1\.97 times as long: 46\.34 s instead of 23\.4[89] s\.", text)
    assert "Repairing the slowest 3 % of ranks (rank 0) removes all of it: 23.45 s a step." in text
    assert "Repairing the last stage (ranks 48, 52, 56, 60) removes nothing of it: 46.36 s a step." in text
    assert "over 100 % or below 0:" in text


def test_every_key_is_documented(tauprof, tmp_path):
    _, _, path = a_job(tmp_path / "job")
    whatif = whatif_of(tauprof, path, tmp_path / "logs")
    document = (pathlib.Path(__file__).resolve().parents[2] / "docs" / "metrics.md").read_text()
    chapter = document[document.index("### `whatif`"):document.index("### `findings`")]
    keys = {*whatif, *whatif["by_step"][0], *whatif["m_s_detail"]}
    assert keys - {path.split(".")[-1] for path in re.findall(r"`([^`]+)`", chapter)} == set()


def drop(rows, at):
    del rows[at]


def duplicate(rows, at):
    rows.append(rows[at])


def rename(rows, at, name="forward-send-backward-recv"):
    rows[at][HEADING.index("optype")] = name


REFUSED = {
    "a row is missing": (lambda rows, facts: drop(rows, 10), "row"),
    "a row is twice": (lambda rows, facts: duplicate(rows, 10), "twice|both"),
    "an unknown message": (lambda rows, facts: rename(rows, 10), "row 11: 'forward-send-backward-recv'"),
    "no number": (lambda rows, facts: rows[3].__setitem__(HEADING.index("start_ts"), "soon"), "row 4: start_ts is 'soon'"),
    "too few values": (lambda rows, facts: rows[3].pop(), "row 4: 10 values under 11 headings"),
    "no times": (lambda rows, facts: rows[3].__setitem__(HEADING.index("duration"), float("nan")), "duration is out of"),
    "sizes contradict": (lambda rows, facts: facts.update(world_size=3), "world_size is 3"),
    "no dsp_size": (lambda rows, facts: facts.pop("dsp_size"), "no dsp_size"),
    "no rows": (lambda rows, facts: rows.clear(), "no rows"),
}


@pytest.mark.parametrize("what", REFUSED)
def test_what_cannot_be_replayed_is_refused_in_one_line(tauprof, tmp_path, what):
    rows, facts, _ = a_job(tmp_path / "job")
    change, reason = REFUSED[what]
    change(rows, facts)
    path = tmp_path / "job" / "trace.csv"
    lines = [HEADING, *rows]
    path.write_text("".join(",".join(map(str, line)) + "\n" for line in lines))
    (path.parent / "meta.yaml").write_text("".join(f"{key}: {value}\n" for key, value in facts.items()))
    imported = import_trace(tauprof, path, tmp_path / "logs")
    assert imported.returncode == 3 and imported.stderr.count("\n") == 1
    assert str(path) in imported.stderr and re.search(reason, imported.stderr), imported.stderr
    assert analyze(tauprof, tmp_path / "logs").returncode == 3


def test_a_trace_without_a_description_is_refused(tauprof, tmp_path):
    _, _, path = a_job(tmp_path / "job")
    (path.parent / "meta.yaml").unlink()
    imported = import_trace(tauprof, path, tmp_path / "logs")
    assert imported.returncode == 3 and "meta.yaml: cannot be opened" in imported.stderr


def test_one_rank_without_data_parallelism_reduces_nothing(tauprof, tmp_path):
    rng = random.Random(2)
    shape = random_shape(rng)
    shape.dp, shape.dsp = 1, 2
    rows, facts = make_rows(rng, shape), meta(shape, rng)
    path = write(tmp_path / "job", rows, {**facts, "dsp_size": 1, "world_size": facts["world_size"] // 2})
    imported = import_trace(tauprof, path, tmp_path / "logs")
    assert imported.returncode == 3 and "correct dsp_size" in imported.stderr


@pytest.mark.parametrize("seed", range(4))
def test_changed_bytes_do_no_harm(tauprof, tmp_path, seed):
    _, _, path = a_job(tmp_path / "job", seed)
    whole = path.read_bytes()
    rng = random.Random(seed)
    for attempt in range(25):
        changed = bytearray(whole)
        for _ in range(rng.choice([1, 1, 3, 30])):
            at = rng.randrange(len(changed))
            way = rng.randrange(4)
            if way == 0:
                changed[at] = rng.randrange(256)
            elif way == 1:
                changed[at:at + rng.randrange(1, 200)] = b""
            elif way == 2:
                changed[at:at] = rng.choice([b'"', b",", b"\n", b"-1", b"1e400", b"99999999999999999999", b"nan"])
            else:
                changed[at:at] = changed[at:at + rng.randrange(1, 400)]
        path.write_bytes(changed)
        logs = tmp_path / f"logs-{attempt}"
        imported = import_trace(tauprof, path, logs)
        assert imported.returncode in (0, 3), (seed, attempt, imported.stderr)
        assert imported.returncode == 0 or imported.stderr.count("\n") == 1
        if imported.returncode == 0:
            printed = analyze(tauprof, logs)
            assert printed.returncode == 0 and json.loads(printed.stdout)["whatif"]
