"""Injected stragglers on 8 to 64 simulated ranks: rank and cause are always right, and clean runs blame nobody."""

import json
import re
import subprocess
import tempfile

import pytest

WRONG_CLOCKS = ("--hosts 8 --clock-offset 1=5s,3=-7s,5=9s --clock-drift 1=50,2=-50,3=30 "
                "--wall-clock-error 1=1s,3=2s,5=-1s,2=1s")
PIPELINE = "--ranks 4 --pipeline 4 --micro-batches 4"
INTERLEAVED = "--ranks 4 --pipeline 4 --micro-batches 8 --interleaved-batches --buffered-sends"
GRID = "--tensor-parallel 4 --pipeline 4 --micro-batches 4"

DEFECTS = {"--slow-rank", "--slow-step", "--extra-kernels", "--data-wait", "--stall", "--allocation", "--cpu-contention",
           "--layer-sync", "--busy-host", "--throttle", "--slow-link"}


def in_steps(rank, steps, length):
    return ",".join(f"{rank}:{step}={length}" for step in steps)


STAGES_LATE_IN_TURNS = ("--ranks 2 --seed 6035 --layers 4 --gemm 300us --jitter-permille 20 --step-end blocking-copy "
                        "--micro-batches 4 --pipeline 2 --forwards-first")
LATE_LOADERS = (f"--data-wait {in_steps(0, range(2, 12, 2), '4170us')}",
                f"--data-wait {in_steps(1, range(1, 12, 2), '6934us')}")

# The ranks that must be found, with their causes; no other rank may be.
INJECTED = {
    "slow compute": ("--ranks 8 --slow-rank 3=1.2", {3: "slow_compute"}),
    "slow compute by a tenth": ("--ranks 64 --steps 6 --slow-rank 50=1.1", {50: "slow_compute"}),
    "slow shards under much jitter": ("--ranks 8 --sharded --slow-rank 3=1.06 --jitter-permille 100",
                                      {3: "slow_compute"}),
    "hardly slow experts under much jitter": (
        "--ranks 8 --all-to-all --slow-rank 3=1.03 --jitter-permille 100 --seed 2002", {3: "slow_compute"}),
    "two slow ranks": ("--ranks 16 --slow-rank 3=1.2,9=1.3", {3: "slow_compute", 9: "slow_compute"}),
    "slow compute in three steps": ("--ranks 8 --slow-step 3:2=1.5,3:6=1.5,3:7=1.5", {3: "slow_compute"}),
    "more compute": ("--ranks 8 --extra-kernels 5=3", {5: "more_compute"}),
    "data wait": ("--ranks 8 --data-wait 2:*=8ms", {2: "data_wait"}),
    "data wait in one step": ("--ranks 16 --steps 20 --data-wait 2:5=40ms", {2: "data_wait"}),
    "host stall": ("--ranks 8 --stall 6:*=5ms", {6: "host_stall"}),
    "host stall in one step": ("--ranks 32 --stall 6:4=30ms", {6: "host_stall"}),
    "stalls that alternate": ("--ranks 8 --stall 1:2=20ms,2:3=20ms,1:4=20ms,2:5=20ms,1:8=20ms,2:9=20ms",
                              {1: "host_stall", 2: "host_stall"}),
    "host synchronisation": ("--ranks 8 --layers 8 --gemm 30us --elementwise 10us --layer-sync 4=1",
                             {4: "host_sync"}),
    "busy host": ("--ranks 8 --gemm 20us --busy-host 1=20 --step-end none", {1: "host_launch"}),
    "throttled": ("--ranks 8 --throttle 5=1.4", {5: "throttled"}),
    "cpu contention": ("--ranks 8 --cpu-contention 6:*=5ms", {6: "cpu_contention"}),
    "cpu contention in two steps": ("--ranks 8 --cpu-contention 6:3=20ms,6:7=20ms", {6: "cpu_contention"}),
    "cpu contention in two steps of a grid": (
        "--ranks 16 --tensor-parallel 2 --pipeline 2 --micro-batches 4 --cpu-contention 11:5=10ms,11:8=10ms",
        {11: "cpu_contention"}),
    "cpu contention that stages pass on, a stall there": (
        "--ranks 8 --pipeline 4 --micro-batches 8 --interleaved-batches --buffered-sends "
        "--cpu-contention 0:*=10ms --stall 7:*=25ms", {0: "cpu_contention", 7: "host_stall"}),
    "cpu contention here, a stall there": ("--ranks 8 --cpu-contention 6:*=5ms --stall 3:*=6ms",
                                           {6: "cpu_contention", 3: "host_stall"}),
    "slow link": ("--ranks 16 --tensor-parallel 4 --slow-link 6=4", {6: "slow_link"}),
    "two kinds": ("--ranks 16 --slow-rank 3=1.2 --stall 9:*=6ms", {3: "slow_compute", 9: "host_stall"}),
    "tensor groups": ("--ranks 16 --tensor-parallel 4 --slow-rank 6=1.3", {6: "slow_compute"}),
    "pipelines": ("--ranks 16 --pipeline 4 --micro-batches 4 --slow-rank 6=1.5", {6: "slow_compute"}),
    "the only pipeline": ("--ranks 4 --pipeline 4 --micro-batches 8 --slow-rank 2=1.5", {2: "slow_compute"}),
    "a stall in every step of the only pipeline": (f"{PIPELINE} --stall 1:*=10ms", {1: "host_stall"}),
    "a stall in one step of the only pipeline": (f"{PIPELINE} --stall 2:5=60ms", {2: "host_stall"}),
    "a slow loader of the only pipeline": (f"{PIPELINE} --data-wait 0:*=20ms", {0: "data_wait"}),
    "a slow loader in one step of the only pipeline": (f"{PIPELINE} --data-wait 0:5=60ms", {0: "data_wait"}),
    "a busy host in the only pipeline": (f"{PIPELINE} --gemm 20us --busy-host 1=40", {1: "host_launch"}),
    "a slow loader of two stages": ("--ranks 2 --pipeline 2 --micro-batches 4 --data-wait 0:*=20ms", {0: "data_wait"}),
    "slow compute in steps of different lengths": (f"{PIPELINE} --varying-steps --slow-rank 1=1.4",
                                                   {1: "slow_compute"}),
    "a stall in interleaved batches": (f"{INTERLEAVED} --stall 1:*=30ms", {1: "host_stall"}),
    "a slow loader of interleaved batches": (f"{INTERLEAVED} --data-wait 0:*=20ms", {0: "data_wait"}),
    "slow compute in interleaved batches": (f"{INTERLEAVED} --slow-rank 2=1.3", {2: "slow_compute"}),
    "stalls that alternate between replicas": (
        "--ranks 8 --pipeline 4 --micro-batches 8 --interleaved-batches --buffered-sends "
        "--stall 7:1=26ms,7:3=26ms,7:5=26ms,7:7=26ms,7:9=26ms,7:11=26ms,4:2=15ms,4:4=15ms,4:6=15ms,4:8=15ms,4:10=15ms --seed 48",
        {4: "host_stall", 7: "host_stall"}),
    "slow loaders of every first stage": ("--ranks 8 --pipeline 4 --micro-batches 4 --data-wait 0:*=20ms,1:*=20ms",
                                          {0: "data_wait", 1: "data_wait"}),
    "a stage that stalls in every replica": ("--ranks 8 --pipeline 4 --micro-batches 4 --stall 2:*=15ms,3:*=15ms",
                                             {2: "host_stall", 3: "host_stall"}),
    "a slow rank in a stage with more to compute": (
        "--ranks 8 --pipeline 2 --micro-batches 4 --extra-kernels 4=2,5=2,6=2,7=2 --slow-rank 5=2",
        {4: "more_compute", 5: "slow_compute", 6: "more_compute", 7: "more_compute"}),
    "a stage with more to compute": ("--ranks 8 --pipeline 4 --micro-batches 8 --extra-kernels 4=12,5=12",
                                     {4: "more_compute", 5: "more_compute"}),
    "a grid": (f"--ranks 64 --steps 8 {GRID} --slow-rank 37=1.4", {37: "slow_compute"}),
    "a stall in a grid": ("--ranks 32 --steps 8 --tensor-parallel 2 --pipeline 2 --micro-batches 4 --stall 21:*=10ms",
                          {21: "host_stall"}),
    "shards": ("--ranks 16 --steps 8 --sharded --slow-rank 7=1.3", {7: "slow_compute"}),
    "all-to-all": ("--ranks 8 --all-to-all --slow-rank 7=1.3", {7: "slow_compute"}),
    "stalls that alternate between stages": (
        "--ranks 8 --pipeline 4 --micro-batches 8 --interleaved-batches --buffered-sends --seed 48 "
        "--stall 4:1=48ms,4:3=48ms,4:5=48ms,4:7=48ms,4:9=48ms,4:11=48ms,"
        "7:2=48ms,7:4=48ms,7:6=48ms,7:8=48ms,7:10=48ms", {4: "host_stall", 7: "host_stall"}),
    "loaders of two stages that are late in turns": (" ".join((STAGES_LATE_IN_TURNS, *LATE_LOADERS)),
                                                     {0: "data_wait", 1: "data_wait"}),
    "most stages of a pipeline allocate, in turns": (
        "--ranks 4 --pipeline 4 --micro-batches 8 --allocation "
        + ",".join(in_steps(rank, range(1 + rank, 10, 3), "26ms") for rank in range(3)),
        {rank: "allocation" for rank in range(3)}),
    "beside a missing rank": ("--ranks 16 --tensor-parallel 4 --slow-rank 6=1.2 --missing 7", {6: "slow_compute"}),
    "wrong clocks": (f"--ranks 8 {WRONG_CLOCKS} --slow-rank 3=1.2", {3: "slow_compute"}),
    "a stall under wrong clocks": (f"--ranks 8 {WRONG_CLOCKS} --stall 5:*=6ms", {5: "host_stall"}),
}

CLEAN = {
    "eight ranks": "--ranks 8",
    "sixty-four ranks": "--ranks 64 --steps 6",
    "much jitter": "--ranks 32 --jitter-permille 150",
    "hosts that run ahead": "--ranks 16 --step-end none",
    "shards, much jitter": "--ranks 8 --sharded --seed 9 --jitter-permille 114",
    "all-to-all, much jitter": "--ranks 8 --all-to-all --seed 50 --jitter-permille 108",
    "tensor groups": "--ranks 16 --tensor-parallel 4",
    "pipelines": "--ranks 16 --pipeline 4 --micro-batches 4",
    "all forwards first, in two replicas": "--ranks 8 --pipeline 4 --micro-batches 8 --forwards-first --seed 16",
    "one pipeline": "--ranks 8 --pipeline 8 --micro-batches 8",
    "one pipeline, interleaved batches": INTERLEAVED,
    "one pipeline, steps of different lengths": f"{PIPELINE} --varying-steps",
    "one pipeline, much jitter": f"{PIPELINE} --jitter-permille 150",
    "a stall that nobody waits for": f"{PIPELINE} --step-end none --stall 1:*=10ms",
    "a grid": f"--ranks 64 --steps 6 {GRID}",
    "shards": "--ranks 16 --sharded",
    "wrong clocks": f"--ranks 8 {WRONG_CLOCKS}",
}

# The rank with the defect has no log.
MISSING = {
    "a stall in a tensor group": (7, "--ranks 16 --tensor-parallel 4 --stall 7:*=1500us"),
    "a busy host in a tensor group": (9, "--ranks 16 --tensor-parallel 4 --layers 8 --gemm 30us --elementwise 10us "
                                         "--step-end none --busy-host 9=16"),
    "a stage": (3, "--ranks 8 --pipeline 4 --micro-batches 8 --interleaved-batches --buffered-sends "
                   "--extra-kernels 3=3"),
}

PATTERNS = {"slow compute": "persistent", "slow compute in three steps": "transient", "host stall": "persistent",
            "host stall in one step": "transient"}


def run(command):
    finished = subprocess.run(command, capture_output=True, text=True, check=False)
    assert finished.returncode == 0, f"{command} ended with {finished.returncode}: {finished.stderr}"
    return finished.stdout


@pytest.fixture
def report(tauprof, tauprof_generate, tmp_path):
    def of(options):
        steps = () if "--steps" in options else ("--steps", "12")
        logs = tempfile.mkdtemp(dir=tmp_path)
        run([tauprof_generate, *options.split(), *steps, "--out", logs])
        return json.loads(run([tauprof, "analyze", logs, "--json", "-"]))

    return of


@pytest.fixture
def analyse(report):
    return lambda options: report(options)["stragglers"]


@pytest.fixture
def findings(report):
    return lambda options: [one for one in report(options)["findings"] if one["id"] == "straggler"]


@pytest.mark.parametrize("case", INJECTED)
def test_the_expected_ranks_are_those_with_a_defect(case):
    options, culprits = INJECTED[case]
    words = options.split()
    injected = {int(rank) for word, value in zip(words, words[1:]) if word in DEFECTS
                for rank in re.findall(r"(?:^|,)(\d+)[:=]", value)}
    assert injected == set(culprits)


@pytest.mark.parametrize("case", INJECTED)
def test_the_injected_stragglers_are_found_and_nobody_else(analyse, case):
    options, culprits = INJECTED[case]
    stragglers = analyse(options)
    assert {row["rank"]: row["cause"] for row in stragglers["found"]} == culprits, stragglers["found"]
    if case in PATTERNS:
        assert stragglers["pattern"] == PATTERNS[case]


@pytest.mark.parametrize("case", CLEAN)
def test_a_clean_run_blames_nobody(analyse, case):
    stragglers = analyse(CLEAN[case])
    assert stragglers["found"] == []
    assert stragglers["pattern"] == "none"


@pytest.mark.parametrize("case", MISSING)
def test_nobody_is_blamed_for_a_missing_rank(report, case):
    rank, options = MISSING[case]
    analysed = report(f"{options} --missing {rank}")
    assert analysed["run"]["missing_ranks"] == [rank]
    assert analysed["stragglers"]["found"] == []


def test_stalls_that_wander_from_rank_to_rank_are_reported_as_wandering(analyse):
    stalls = ",".join(f"{rank}:{step}=15ms" for step, rank in enumerate([1, 4, 6, 2, 1, 4, 6, 2], start=1))
    stragglers = analyse(f"--ranks 8 --steps 12 --stall {stalls}")
    assert {row["rank"] for row in stragglers["found"]} == {1, 2, 4, 6}
    assert not any(row["persistent"] for row in stragglers["found"])
    assert stragglers["pattern"] == "wandering"


def test_nobody_is_blamed_for_the_waits_of_a_pipeline(analyse):
    stragglers = analyse(CLEAN["pipelines"])
    blamed = sum(row["blamed_ns"] for row in stragglers["ranks"])
    assert stragglers["unblamed_ns"] > 10 * blamed


@pytest.mark.parametrize("ranks, injected", [(4, "--stall 1:*=20ms"), (4, "--data-wait 0:*=20ms"),
                                                 (4, "--slow-rank 2=1.5"), (8, "--data-wait 0:*=20ms"),
                                                 (8, "--stall 2:*=20ms")])
def test_a_pipeline_blames_as_much_waiting_as_the_defect_added(analyse, ranks, injected):
    def waited(stragglers):
        return stragglers["unblamed_ns"] + sum(row["blamed_ns"] for row in stragglers["ranks"])

    job = f"--ranks {ranks} --pipeline 4 --micro-batches 4 --steps 12"
    clean, slow = analyse(job), analyse(f"{job} {injected}")
    assert slow["found"][0]["blamed_ns"] == pytest.approx(waited(slow) - waited(clean), rel=0.15)


def test_one_step_shows_no_pattern(analyse):
    stragglers = analyse("--ranks 4 --steps 1 --slow-rank 2=2")
    assert [(row["rank"], row["persistent"]) for row in stragglers["found"]] == [(2, False)]
    assert stragglers["pattern"] == "none"


def test_one_step_of_one_is_not_called_persistent(tauprof, tauprof_generate, tmp_path):
    run([tauprof_generate, *"--ranks 4 --steps 1 --slow-rank 2=2".split(), "--out", tmp_path / "logs"])
    text = run([tauprof, "analyze", tmp_path / "logs", "--show", "all"])
    assert "in 1 of 1 step" in text and "persistent" not in text and "transient" not in text


# Without an example in another rank: two stages are late in turns, or one's host and the other's device are.
ALONE = {
    "in turns": (STAGES_LATE_IN_TURNS, {0: LATE_LOADERS[0], 1: LATE_LOADERS[1]}),
    "host and device": ("--ranks 2 --pipeline 2 --micro-batches 8 --forwards-first --layers 6 --step-end device-sync",
                        {0: "--cpu-contention 0:*=19ms", 1: "--throttle 1=1.069"}),
}


@pytest.mark.parametrize("case", ALONE)
def test_what_each_of_two_stages_costs_is_what_the_job_takes_without_it(report, case):
    job, defects = ALONE[case]
    analysed = report(" ".join((job, *defects.values())))
    step = analysed["steps"]["duration_ns"]["mean"]
    saves = {one["ranks"][0]: one["saves_ns_per_step"] for one in analysed["findings"] if one["id"] == "straggler"}
    without = {rank: report(f"{job} {defects[1 - rank]}")["steps"]["duration_ns"]["mean"] for rank in defects}
    assert saves == {rank: pytest.approx(step - without[rank], abs=0.005 * step) for rank in defects}


def test_many_ranks_with_one_cause_are_one_finding(findings):
    slow = range(0, 64, 4)
    [found] = findings(f"--ranks 64 --steps 8 --slow-rank {','.join(f'{rank}=1.3' for rank in slow)}")
    assert found["title"].startswith("16 ranks, every 4th from 0 on, delay the others")
    assert found["ranks"] == list(slow)
    assert found["severity"] == "critical"


@pytest.mark.parametrize("steps, all_steps", [([5], 12), (range(8), 8)])
def test_many_stalled_ranks_are_one_finding_of_all(report, steps, all_steps):
    stalled = list(range(0, 64, 4))
    analysed = report(f"--ranks 64 --steps {all_steps} --stall "
                      + ",".join(in_steps(rank, steps, "20ms") for rank in stalled))
    naming = [one for one in analysed["findings"] if one["ranks"]]
    assert [(one["id"], one["ranks"]) for one in naming] == [("straggler", stalled)]
    assert "host-stall" not in {one["id"] for one in analysed["findings"]}
    assert analysed["findings"][0]["id"] == "straggler"


def test_ranks_with_different_causes_are_different_findings(findings):
    found = findings("--ranks 16 --slow-rank 3=1.2 --stall 9:*=6ms")
    assert [finding["ranks"] for finding in found] == [[9], [3]]


def test_of_several_late_ranks_in_one_step_the_last_matters(findings):
    [found] = findings("--ranks 16 --stall 9:5=30ms,3:5=20ms,12:5=20ms")
    assert found["title"].startswith("Rank 9 and 2 ranks before it delay the others: ")
    assert "ranks 3, 12 came late before it" in found["evidence"]
    assert (found["ranks"], found["steps"]) == ([3, 9, 12], [5])


@pytest.mark.parametrize("steps, severity", [([5], "warning"), ([3, 5], "warning"), ([3, 5, 7], "critical")])
def test_what_happens_once_or_twice_is_not_critical(findings, analyse, steps, severity):
    job = f"--ranks 8 --stall {','.join(f'2:{step}=60ms' for step in steps)}"
    [found] = findings(job)
    assert (found["severity"], found["steps"]) == (severity, steps)
    assert analyse(job)["found"][0]["confidence"] == len(steps) / (len(steps) + 1)
