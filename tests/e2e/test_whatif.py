"""What-if answers, against the same generated job with the other option."""

import json
import subprocess

import pytest

JOB = "--ranks 4 --steps 8 --layers 6"
BUSY = f"{JOB} --gemm 40us --elementwise 10us --optimizer 20us"  # the device waits for a busy host
SWEEP = f"{JOB} --layer-bytes 8388608 --sweep-bytes 1024,8192,65536,524288,4194304,16777216,67108864"
# In the first half rank 0 is stalled, in the second rank 1.
HALVES = ",".join([f"0:{step}=4ms" for step in range(4)] + [f"1:{step}=9ms" for step in range(4, 8)])
PIPELINE = f"{JOB} --pipeline 4 --micro-batches 4"


@pytest.fixture
def generate(tauprof_generate, tmp_path):
    def make(name, options):
        logs = tmp_path / name
        subprocess.run([tauprof_generate, *options.split(), "--out", str(logs)], check=True)
        return str(logs)

    return make


@pytest.fixture
def whatif(tauprof):
    def ask(logs, questions):
        words = questions if isinstance(questions, list) else questions.split()
        done = subprocess.run([tauprof, "whatif", logs, *words, "--json", "-"], capture_output=True, text=True, check=True)
        return json.loads(done.stdout)

    return ask


def step_of(answers, scenario=0):
    one = answers["scenarios"][scenario]
    assert one["reason"] is None
    assert one["saves_ns_per_step"] == answers["step_ns"] - one["step_ns"]
    return one["step_ns"]


@pytest.mark.parametrize("measured,question,other", [
    (JOB, "--speed kernel:*gemm*=2x", f"{JOB} --gemm 200us"),
    (f"{JOB} --jitter-permille 30", "--speed kernel:*gemm*=2x", f"{JOB} --jitter-permille 30 --gemm 200us"),
    (f"{JOB} --sharded", "--speed kernel:*gemm*=2x", f"{JOB} --sharded --gemm 200us"),
    (f"{JOB} --tensor-parallel 2", "--speed kernel:*gemm*=0.5x", f"{JOB} --tensor-parallel 2 --gemm 800us"),
    (PIPELINE, "--speed kernel:*gemm*=2x", f"{PIPELINE} --gemm 200us"),
    (f"{JOB} --link-bytes-per-us 10000 --link-latency 80us", "--speed op:all_reduce=2x",
     f"{JOB} --link-bytes-per-us 20000 --link-latency 40us"),
    (f"{PIPELINE} --link-bytes-per-us 2000 --link-latency 80us", "--speed op:*=2x",
     f"{PIPELINE} --link-bytes-per-us 4000 --link-latency 40us"),
    (f"{SWEEP} --link-bytes-per-us 50000", "--link op:all_reduce,beta=2x", f"{SWEEP} --link-bytes-per-us 100000"),
    (f"{SWEEP} --link-latency 200us", "--link op:all_reduce,alpha=0.5x", f"{SWEEP} --link-latency 100us"),
    (f"{JOB} --slow-rank 2=1.4", "--fix rank:2", JOB),
    (f"{PIPELINE} --slow-rank 2=1.4", "--fix stage:2", PIPELINE),
    (f"{JOB} --slow-rank 2=1.4", "--speed kernel:*gemm*=2x --fix rank:2", f"{JOB} --gemm 200us"),
    (f"{BUSY} --busy-host 2=12", "--fix rank:2", BUSY),
    (f"{JOB} --tensor-parallel 2 --slow-link 2=4", "--fix links:2", f"{JOB} --tensor-parallel 2"),
    (f"{JOB} --stall 2:3=20ms,1:5=10ms", "--without stalls", JOB),
    (f"{JOB} --stall 2:3=20ms,1:5=10ms", "--without stalls,rank:2 --without stalls,rank:1", JOB),
    (f"{JOB} --stall 2:3=20ms,1:5=10ms", "--without stalls,rank:2", f"{JOB} --stall 1:5=10ms"),
    (f"{PIPELINE} --stall 2:3=400ms,1:5=10ms", "--without stalls,stage:2", f"{PIPELINE} --stall 1:5=10ms"),
    (f"{JOB} --data-wait 2:3=20ms,1:5=10ms", "--without data-waits", JOB),
    (f"{JOB} --data-wait 2:3=20ms,1:5=10ms", "--without phase:dataload_wait", JOB),
    (f"{JOB} --allocation 2:3=20ms,1:5=10ms", "--without allocations", JOB),
    (f"{JOB} --stall {HALVES}", "--fix rank:0,windows:0:3 --fix steps:4:7", JOB),
    (f"{JOB} --stall {HALVES}", "--fix steps:4:7 --fix rank:0,windows:0:3", JOB),
])
def test_the_answer_is_the_other_job(generate, whatif, measured, question, other):
    answers = whatif(generate("measured", measured), question)
    truth = whatif(generate("other", other), "--speed kernel:*=1x")["step_ns"]
    assert abs(answers["step_ns"] - truth) > 0.05 * truth, "there was nothing to predict"
    assert step_of(answers) == pytest.approx(truth, rel=0.02)
    assert answers["replay_error"] < 0.02


@pytest.mark.parametrize("options", ["", "--sharded", "--step-end device-sync --no-autograd"])
def test_ranks_of_one_process_are_replayed_as_those_of_several(generate, whatif, options):
    apart = whatif(generate("apart", f"{JOB} {options}"), "--speed kernel:*gemm*=2x")
    together = whatif(generate("together", f"{JOB} {options} --devices-per-process 2"), "--speed kernel:*gemm*=2x")
    assert together["replay_error_worst"] < 0.005
    assert step_of(together) == pytest.approx(step_of(apart), rel=0.001)


# A layer has 8 MiB of gradients; all-reduces of the other sizes say how long those take.
BUCKETS = "--ranks 4 --steps 6 --layers 8 --layer-bytes 8388608 --link-bytes-per-us 20000 --link-latency 100us " \
          "--sweep-bytes 1048576,4194304,8388608,16777216,33554432,67108864,134217728"


@pytest.mark.parametrize("options", ["", "--tensor-parallel 2", "--micro-batches 3", "--pipeline 2 --micro-batches 2",
                                     "--jitter-permille 30 --no-autograd", "--sharded"])
def test_buckets_of_another_size_take_what_that_size_takes(generate, whatif, options):
    logs = {layers: generate(f"of-{layers}", f"{BUCKETS} {options} --layers-per-bucket {layers}") for layers in (1, 2, 8)}
    truth = {layers: whatif(made, "--without stalls")["step_ns"] for layers, made in logs.items()}
    assert truth[8] > 1.04 * truth[1]
    for layers in (1, 8):
        answers = whatif(logs[layers], "--bucket-mb 8..64")
        assert [one["changes"] for one in answers["scenarios"]] == [[f"bucket-mb {size}"] for size in (8, 16, 32, 64)]
        for scenario, other in ((0, 1), (1, 2), (3, 8)):
            assert step_of(answers, scenario) == pytest.approx(truth[other], rel=0.02)
        assert answers["best_bucket_mb"] == 8


def test_many_small_buckets_pay_their_latency(generate, whatif):
    logs = generate("logs", f"{BUCKETS.replace('100us', '1ms')} --layers-per-bucket 8")
    answers = whatif(logs, "--bucket-mb 1..64")
    assert 4 <= answers["best_bucket_mb"] < 64
    assert step_of(answers, 0) > step_of(answers, 6)


@pytest.mark.parametrize("options,says", [
    ("", "is not told by the sizes that were seen"),
    ("--sharded", "is not told by the sizes that were seen"),
    ("--missing 1", "no all_reduce or reduce_scatter of gradients"),
])
def test_buckets_of_unknown_time_or_place_are_not_replayed(generate, whatif, options, says):
    answers = whatif(generate("logs", f"{JOB} {options}"), "--bucket-mb 1..4")
    assert all(one["step_ns"] is None and says in one["reason"] for one in answers["scenarios"])
    assert answers["best_bucket_mb"] is None


def test_scenarios_stand_side_by_side(generate, whatif, tauprof):
    logs = generate("logs", f"{JOB} --slow-rank 2=1.4")
    words = "--fix rank:2 --or --speed op:all_reduce=2x --or --fix rank:2 --speed op:all_reduce=2x"
    answers = whatif(logs, words)
    assert [one["changes"] for one in answers["scenarios"]] == [
        ["fix rank:2"], ["speed op:all_reduce=2x"], ["fix rank:2", "speed op:all_reduce=2x"]]
    steps = [step_of(answers, i) for i in range(3)]
    assert steps[2] < min(steps[0], steps[1]) and max(steps) <= answers["step_ns"]
    assert (answers["schema"], answers["ranks"], answers["steps"]) == ("tauprof.whatif/1", 4, 8)
    text = subprocess.run([tauprof, "whatif", logs, *words.split()], capture_output=True, text=True, check=True).stdout
    [line] = [line for line in text.splitlines() if "fix rank:2, speed op:all_reduce=2x" in line]
    assert f"{steps[2] / 1e6:.3f} ms" in line
    assert f"{100 * (answers['step_ns'] - steps[2]) / answers['step_ns']:.1f} %" in line


def test_communication_without_time_still_waits_for_the_slow_rank(generate, whatif):
    logs = generate("logs", f"{JOB} --slow-rank 2=2 --link-bytes-per-us 10000")
    answers = whatif(logs, "--without communication --or --fix rank:2")
    alone = whatif(generate("slow", "--ranks 4 --steps 8 --layers 6 --slow-rank 2=2 --link-bytes-per-us 100000000 "
                            "--link-latency 1us"), "--without stalls")["step_ns"]
    assert step_of(answers) == pytest.approx(alone, rel=0.02)


def test_links_of_one_size_say_nothing(generate, whatif, tauprof):
    logs = generate("logs", JOB)
    answers = whatif(logs, "--link op:all_reduce,beta=2x --or --without communication")
    unknown, known = answers["scenarios"]
    assert [unknown[key] for key in ("step_ns", "saves_ns_per_step", "saves_share")] == [None] * 3
    assert "only one size was seen" in unknown["reason"]
    assert known["reason"] is None and known["step_ns"] > 0
    text = subprocess.run([tauprof, "whatif", logs, "--link", "op:all_reduce,beta=2x"], capture_output=True, text=True,
                          check=True).stdout
    assert f"not known: {unknown['reason']}" in " ".join(text.split())


def test_a_missing_rank_leaves_collectives_open(generate, whatif):
    answers = whatif(generate("logs", f"{JOB} --missing 3"), "--without communication")
    assert answers["scenarios"][0]["step_ns"] is None
    assert "waits and how long it moves data is not known" in answers["scenarios"][0]["reason"]


@pytest.mark.parametrize("words,status,says", [
    ([], 2, "a question is missing; see tauprof whatif --help"),
    (["--fix", "rank:1", "--or"], 2, "a question is missing before or after --or"),
    (["--speed", "kernel:*gemm*"], 2, "does not end with a factor such as =2x"),
    (["--without", "op:reduce_all"], 2, "there are all_reduce, all_gather"),
    (["--bucket-mb", "8..4"], 2, "'8..4' is no range of sizes in MB such as 1..100"),
    (["--bucket-mb", "1..4", "--fix", "rank:1"], 2, "put --or between them"),
    (["--fix", "node:1"], 2, "is none of rank:N, stage:N, links:N"),
    (["--speed", "kernel:conv*=2x"], 3, "no kernel 'conv*' in this run; there are ampere_bf16"),
    (["--without", "comm:tp"], 3, "no communicator 'tp' in this run; there are data-0-0"),
    (["--without", "copy:p2p"], 3, "no copy 'p2p' in this run; there are "),
    (["--fix", "rank:7"], 3, "no rank 7 in this run; there are 0, 1"),
    (["--fix", "stage:0"], 3, "no pipeline stage 0 in this run"),
])
def test_a_wrong_question_says_what_there_is(generate, tauprof, words, status, says):
    logs = generate("logs", "--ranks 2 --steps 4 --layers 2")
    done = subprocess.run([tauprof, "whatif", logs, *words], capture_output=True, text=True)
    assert (done.returncode, done.stdout) == (status, "")
    assert says in done.stderr.splitlines()[0]


def test_a_folder_without_logs_is_nothing_usable(tauprof, tmp_path):
    done = subprocess.run([tauprof, "whatif", str(tmp_path), "--fix", "rank:0"], capture_output=True, text=True)
    assert done.returncode == 3 and len(done.stderr.splitlines()) == 1


def test_where_a_log_is_missing_neither_findings_nor_questions_have_a_price(generate, whatif, tauprof):
    """A rank's stall shows in how long the others wait, and nobody knows how long that is."""
    logs = generate("logs", f"{JOB} --missing 3 --stall 1:*=10ms")
    findings = json.loads(subprocess.run([tauprof, "analyze", logs, "--json", "-"], capture_output=True, check=True).stdout)["findings"]
    [stall] = [one for one in findings if one["id"] == "host-stall"]
    [unsplit] = [one for one in findings if one["id"] == "exposed-comm-unsplit"]
    asked = whatif(logs, "--without stalls,rank:1 --or --without communication")["scenarios"]
    for finding, scenario in zip((stall, unsplit), asked):
        assert finding["saves_ns_per_step"] is None and scenario["saves_ns_per_step"] is None
        assert finding["saves_reason"] == scenario["reason"] and "waits and how long it moves data is not known" in scenario["reason"]


def test_chosen_ranks_are_those_whose_steps_are_meant(generate, whatif, tauprof):
    """Two jobs of two ranks that never meet: only those of one are stalled."""
    logs = generate("logs", f"{JOB} --tensor-parallel 2 --stall 0:*=4ms")
    for ranks in ("0-1", "2,3"):
        answers = whatif(logs, f"--without stalls --ranks {ranks}")
        report = json.loads(subprocess.run([tauprof, "analyze", logs, "--ranks", ranks, "--json", "-"],
                                           capture_output=True, check=True).stdout)
        steps = report["steps"]["count"] * len(report["per_rank"])
        assert answers["ranks"] == len(report["per_rank"]) == 2
        assert answers["step_ns"] == pytest.approx(report["ledger"]["step_ns"] / steps, rel=1e-3)
