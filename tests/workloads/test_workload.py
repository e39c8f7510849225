"""The training program on simulated devices: every option, alone or with others, leaves a consistent truth.

TAUPROF_TRAINING, TAUPROF_WITH_SIMGPU and TAUPROF_TRUTH_CHECK name the program, the script that runs it on simulated
devices, and the folder of the package simgpu_truth.
"""

import collections
import os
import pathlib
import re
import signal
import subprocess
import sys
import time

import pytest
from programs import program

HERE = pathlib.Path(__file__).resolve().parent
sys.path.insert(0, os.environ.get("TAUPROF_TRUTH_CHECK", str(HERE.parent / "simgpu" / "truth")))

from simgpu_truth.check import faults  # noqa: E402
from simgpu_truth.reader import read_directory  # noqa: E402

STEPS = 3
OPTIONS = f"costs={HERE / 'costs.txt'}"

# (ranks, options). Together they use every option.
CASES = [
    (1, ""),
    (2, ""),
    (4, ""),
    (1, "--gemm cublas --slices 8 --loss-every 1"),
    (1, "--gemm cublaslt --scratch malloc"),
    (1, "--scratch pool --unfused-optimizer"),
    (1, "--graph --micro-batches 2"),
    (2, "--graph --loss-every 1"),
    (1, "--memory-growth-mb 20000 --steps 9"),
    (2, "--host-function-ms 5"),
    (1, "--pageable --copy-stream default --prefetch 1"),
    (2, "--copy-stream compute --loader-ms 5 --loader-spike-ms 30 --loader-spike-every 2"),
    (1, "--loader-on-main-thread --loader-ms 10 --nvtx"),
    (2, "--backward-on-main-thread --collectives-on-compute-stream"),
    (2, "--bucket-mb 4 --backward-thread-name grads"),
    (2, "--one-bucket --barrier-every-step --timing --flops"),
    (2, "--windows --bucket-mb 8"),
    (2, "--micro-batches 2 --sync-every-micro-batch"),
    (2, "--sync-every-layer --sync-every-step"),
    (2, "--slow-rank 1:150"),
    (2, "--host-stall 1:60:3:2 --host-work 0:5,1:5:2"),
    (2, "--hog-cpu 1:2:2:1 --layer-sync 0:0.1"),
    (2, "--log-every 2 --log-ms 5 --eval-every 2 --eval-batches 1 --eval-rank 0"),
    (2, "--data-stall 1:40:2 --checkpoint-every 2 --checkpoint-rank 1"),
    (2, "--clip 1 --clip-reads-norm"),
    (4, "--zero --clip 1"),
    (2, "--zero --no-prefetch --micro-batches 2 --eval-every 3"),
    (2, "--zero --zero-stage 2 --micro-batches 2 --loader-workers 2 --loader-ms 1"),
    (2, "--tensor 2 --loss-every 1"),
    (4, "--tensor 2 --clip 1"),
    (2, "--pipeline 2 --micro-batches 4 --wait-for-messages --loss-every 1 --eval-every 3"),
    (4, "--pipeline 4 --micro-batches 6 --batch 1 --stage-layers 1,1,1,2 --layers 5"),
    (4, "--pipeline 2 --tensor 2 --micro-batches 2 --nvtx"),
    (4, "--pipeline 2 --zero --micro-batches 3 --batch 2"),
    (4, "--experts"),
    (2, "--experts --expert-imbalance 3 --clip 0.5"),
    (1, "--experts --hidden 1024 --heads 8 --sequence 512 --vocabulary 4096"),
]


class Run:
    """A finished run: its output and the truth of its processes, by rank."""

    def __init__(self, done, directory):
        self.status = done.returncode
        self.output = done.stdout
        self.errors = done.stderr
        self.processes = read_directory(directory) if directory.exists() else []

    def spans(self, rank):
        return next(process for process in self.processes if process.rank in (rank, -1)).spans

    def kernel_time(self, rank):
        spans = self.spans(rank)
        return sum(span.end - span.start for span in (spans.values() if isinstance(spans, dict) else spans)
                   if span.kind == "kernel")


def command_of(text, ranks, truth, options=""):
    options = ",".join(filter(None, [OPTIONS, options]))
    command = [program("TAUPROF_WITH_SIMGPU"), "--truth", str(truth), "--options", options, "--"]
    return [*command, program("TAUPROF_TRAINING"), "--small", "--steps", str(STEPS), *text.split(),
            *(["--ranks", str(ranks)] if ranks else [])]


@pytest.fixture
def train(tmp_path):
    numbers = iter(range(100))

    def run(text="", ranks=0, options="", environment=None):
        directory = tmp_path / f"truth{next(numbers)}"
        done = subprocess.run(command_of(text, ranks, directory, options), capture_output=True, text=True, timeout=100,
                              check=False, env={**os.environ, **(environment or {})})
        return Run(done, directory)

    return run


def announced(process):
    return collections.Counter(entry.what for entry in process.announcements if entry.begins)


def longest(process, what):
    starts, longest_time = {}, 0
    for entry in process.announcements:
        if entry.what != what:
            continue
        if entry.begins:
            starts[entry.index] = entry.time
        else:
            longest_time = max(longest_time, entry.time - starts[entry.index])
    return longest_time / 1e6


@pytest.mark.parametrize("ranks,text", CASES, ids=[f"{ranks} {text}".strip() for ranks, text in CASES])
def test_ends_with_a_complete_and_consistent_truth(train, ranks, text):
    run = train(text, ranks)
    assert run.status == 0, run.errors
    assert run.errors == ""
    assert list(faults(run.processes)) == []
    assert len(run.processes) == ranks
    words = text.split()
    steps = int(words[words.index("--steps") + 1]) if "--steps" in words else STEPS
    assert len(re.findall(r"^step \d+", run.output, re.MULTILINE)) == steps
    for process in run.processes:
        phases = announced(process)
        assert phases["step"] == steps
        assert phases["phase:optimizer"] == steps
        assert "--graph" in words or phases["phase:backward"] >= steps


def test_cases_use_every_option():
    done = subprocess.run([program("TAUPROF_TRAINING"), "--help"], capture_output=True, text=True, check=True)
    used = {word for _, text in CASES for word in text.split()} | {"--small", "--ranks", "--checkpoint-every",
                                                                 "--checkpoint-file"}
    assert set(re.findall(r"^  (--[a-z-]+)", done.stdout, re.MULTILINE)) - used == set()


def test_output_is_reproducible_and_the_same_with_nvtx(train):
    text = "--loss-every 2 --eval-every 3"
    first = train(text, 2)
    assert first.output == train(text + " --nvtx", 2).output
    assert first.output.splitlines()[0] == "step 0"


def test_one_bucket_makes_one_reduction_per_step(train):
    def reductions(text):
        return sum(len(process.collectives) for process in train(text, 2).processes) / 2

    assert reductions("--one-bucket") == STEPS
    assert reductions("--bucket-mb 4") > 20 * STEPS


def test_a_slow_rank_computes_longer(train):
    run = train("--slow-rank 1:100", 2)
    assert run.kernel_time(1) > 1.3 * run.kernel_time(0)


def test_larger_stages_and_experts_compute_longer(train):
    stages = train("--pipeline 2 --stage-layers 1,3 --micro-batches 2", 2)
    assert stages.kernel_time(1) > 1.5 * stages.kernel_time(0)
    experts = train("--experts --expert-imbalance 4", 2)
    assert experts.kernel_time(0) > 1.2 * experts.kernel_time(1)


def test_host_stalls_and_slow_loading_lengthen_their_phases(train):
    process = train("--host-stall 0:80").processes[0]
    assert longest(process, "step") >= 80
    process = train("--loader-on-main-thread --loader-ms 40").processes[0]
    assert longest(process, "phase:data") >= 40


def test_a_checkpoint_contains_the_weights(train, tmp_path):
    file = tmp_path / "weights"
    sizes = "--hidden 64 --heads 8 --vocabulary 64 --layers 1 --sequence 64"
    run = train(f"--checkpoint-every 2 --checkpoint-file {file} {sizes}")
    assert run.status == 0
    assert file.stat().st_size == 2 * (2 * 64 * 64 + 12 * 64 * 64 + 3 * 2 * 64)
    assert announced(run.processes[0])["phase:checkpoint"] == 1


def test_kept_memory_is_freed_when_memory_runs_out(train):
    run = train("--memory-growth-mb 4000 --steps 6", options="memory_gb=0:16")
    assert run.status == 0, run.errors
    run = train(options="memory_gb=0:1")
    assert run.status == 1
    assert re.fullmatch(r"training: rank 0: cudaMalloc: out of memory \(\w+\.cpp:\d+\)\n", run.errors)


def test_runs_under_launchers(tmp_path):
    names = {"torchrun": ("RANK", "WORLD_SIZE", "LOCAL_RANK", "LOCAL_WORLD_SIZE"),
             "mpirun": ("OMPI_COMM_WORLD_RANK", "OMPI_COMM_WORLD_SIZE", "OMPI_COMM_WORLD_LOCAL_RANK",
                        "OMPI_COMM_WORLD_LOCAL_SIZE"),
             "srun": ("SLURM_PROCID", "SLURM_STEP_NUM_TASKS", "SLURM_LOCALID", "SLURM_STEP_TASKS_PER_NODE")}
    for launcher, variables in names.items():
        started = [subprocess.Popen(command_of("", 0, tmp_path / launcher), stdout=subprocess.DEVNULL,
                                    env={**os.environ, **dict(zip(variables, (str(rank), "2", str(rank), "2"))),
                                         "MASTER_PORT": "29731", "MASTER_ADDR": "localhost"})
                   for rank in range(2)]
        assert [process.wait(timeout=60) for process in started] == [0, 0]


def test_a_rank_that_fails_ends_the_job_with_its_status(train):
    run = train("--steps 200 --loss-every 1", 2, options="fail=1:*adamw*:2:700")
    assert run.status == 1
    assert re.search(r"^training: rank 1: \w+: an illegal memory access was encountered \(\w+\.cpp:\d+\)$", run.errors,
                     re.MULTILINE)


def test_signals_reach_the_ranks(tmp_path):
    started = subprocess.Popen(command_of("--steps 100000", 2, tmp_path / "truth"), stdout=subprocess.PIPE)
    started.stdout.readline()
    started.send_signal(signal.SIGTERM)
    killed = time.monotonic()
    assert started.wait(timeout=20) == 128 + signal.SIGTERM
    assert time.monotonic() - killed < 8


@pytest.mark.parametrize("text", ["--layers", "--layers 0", "--layers x", "--unknown", "--gemm mkl", "--slow-rank 1",
                                  "--slow-rank 1:2:0", "--host-stall 1:2:", "--host-stall 1:2,", "--eval-rank 0 --zero",
                                  "--tensor 3", "--pipeline 2", "--zero --experts --ranks 2", "--graph --zero", "--loader-workers 3",
                                  "--hidden 100", "--stage-layers 1,2"])
def test_wrong_usage_is_rejected(text):
    done = subprocess.run([program("TAUPROF_TRAINING"), *text.split()], capture_output=True, text=True, check=False)
    assert done.returncode == 2
    assert re.fullmatch(r"training: .*; --help lists the options\n", done.stderr)
