"""Every section of the text report fits the terminal, whatever the run."""

import subprocess

import pytest
from printed_tables import check, tables

SETS = ("hta_nccl_data_1of2", "param_dlrm_8rank", "torchrec_sst2a", "torchrec_sst5qb")
JOBS = {
    "pipeline": "--ranks 8 --pipeline 8 --micro-batches 8 --steps 4 --busy-host 3=40",
    "interleaved pipeline": "--ranks 4 --pipeline 4 --interleaved-batches --buffered-sends --pair-communicators "
                            "--steps 4",
    "tensor": "--ranks 8 --tensor-parallel 4 --steps 4 --slow-rank 2=1.3 --algorithm Tree",
    "sharded": "--ranks 4 --sharded --steps 4 --sweep-bytes 1024 65536 1048576 33554432",
    "experts": "--ranks 4 --all-to-all --grouped-buckets --fused-reduces --graph --steps 4",
    "throttled": "--ranks 4 --hosts 2 --throttle 2=1.3 --steps 8 --jitter-permille 30 --allocation 0:*=10ms",
    "waiting for input": "--ranks 4 --steps 8 --data-wait 0:*=15ms,1:*=15ms,2:3=15ms",
    "rank missing": "--ranks 4 --steps 4 --missing 3 --clock-offset 1=20us",
    "slices": "--ranks 2 --steps 4 --marker none --no-phase-ranges --optimizer 1us",
}


@pytest.fixture
def generated(tauprof_generate, tmp_path):
    def made(options, name="logs"):
        subprocess.run([tauprof_generate, *options.split(), "--out", tmp_path / name], check=True, capture_output=True)
        return tmp_path / name

    return made


@pytest.mark.parametrize("name", JOBS)
def test_sections_of_generated_jobs_fit(tauprof, generated, name):
    texts = check(tauprof, generated(JOBS[name]), "--show", "all")
    assert len(list(tables(texts[80]))) >= 4
    for text in texts.values():
        assert ("\nPIPELINE " in text) == ("pipeline" in name)


@pytest.mark.parametrize("name", SETS)
def test_sections_of_recorded_sets_fit(tauprof, data_folder, tmp_path, name):
    subprocess.run([tauprof, "import", "kineto", data_folder / name, "-o", tmp_path / "logs"], check=True,
                   capture_output=True)
    texts = check(tauprof, tmp_path / "logs", "--show", "all")
    # A wider terminal shows all that a narrower one shows: columns are left out, none comes instead.
    for narrow, wide in zip(tables(texts[80]), tables(texts[140])):
        assert set(narrow[0].split()) <= set(wide[0].split()) and len(narrow) == len(wide)


@pytest.mark.parametrize("name", SETS)
def test_the_first_screen_of_recorded_sets_fits(tauprof, data_folder, tmp_path, name):
    subprocess.run([tauprof, "import", "kineto", data_folder / name, "-o", tmp_path / "logs"], check=True,
                   capture_output=True)
    for text in check(tauprof, tmp_path / "logs").values():
        assert text.count("\n") <= 25 and "\nVERDICT " in text and "\n      do     " in text


@pytest.mark.parametrize("name", ["straggler_whatif_AR", *(f"ops-synthetic/{one}" for one in ("a", "c", "e", "g", "tiny"))])
def test_reports_of_operation_traces_fit(tauprof, data_folder, name, monkeypatch):
    monkeypatch.chdir(data_folder)  # the report names the path
    check(tauprof, name)
    check(tauprof, name, "--show", "all")


def test_the_answers_of_whatif_and_diff_fit(tauprof, generated):
    job = "--ranks 4 --steps 20 --jitter-permille 10"
    slow, fast = generated(f"{job} --slow-rank 2=1.3", "slow"), generated(job, "fast")
    check(tauprof, slow, "--fix", "rank:2", "--or", "--speed", "phase:backward=2x", "--link", "op:all_reduce,beta=2x",
          "--without", "stalls", command="whatif")
    check(tauprof, slow, "0", command="why")
    check(tauprof, slow, "--against", str(fast), command="diff")
    texts = check(tauprof, slow, "--against", str(fast), "--show", "all", command="diff")
    assert "\n* compute " in texts[80] or "\n  *  compute " in texts[80]
