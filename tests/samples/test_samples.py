"""Programs that were not written for the simulator run on it and measure the configured speeds."""

import os
import pathlib
import subprocess
import sys

import pytest

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent / "simgpu" / "truth"))

from simgpu_truth.check import faults  # noqa: E402
from simgpu_truth.reader import read_directory  # noqa: E402

SAMPLES = pathlib.Path(os.environ.get("TAUPROF_SAMPLES", "build/release/samples"))
LAUNCHER = os.environ.get("TAUPROF_WITH_SIMGPU", "scripts/with-simgpu")
# Turns off everything that a test does not ask for.
IDEAL = "jitter=0,interference=0,wander_us=0,end_scatter_us=0,dependency_gap_us=0"

# Published figures of the simulated GPU models: GB/s of the host link in one direction.
PINNED_GB_PER_S = {"H200": 55, "A100": 25}


def run(name, *arguments, options="", truth=None):
    program = SAMPLES / name
    if not program.exists():
        pytest.skip(f"{program} is not built: no nvcc")
    written = ["--truth", str(truth)] if truth else []
    command = [LAUNCHER, "--options", options or "devices=8", *written, "--", str(program), *map(str, arguments)]
    done = subprocess.run(command, capture_output=True, text=True, timeout=300, check=False)
    assert done.returncode == 0, done.stderr
    return done.stdout


def values(output):
    pairs = (line.split() for line in output.splitlines())
    return {pair[0]: float(pair[1]) for pair in pairs if len(pair) == 2}


def table(output, columns):
    rows = (line.split() for line in output.splitlines())
    return [[float(field) for field in row] for row in rows if len(row) == columns and row[0].isdigit()]


def test_saxpy_copies_its_data_and_times_its_kernel():
    got = values(run("saxpy"))
    assert got["copied_back_wrong"] == 0
    assert 0 < got["kernel_us"] < 1000


@pytest.mark.parametrize("profile", PINNED_GB_PER_S)
def test_event_times_agree_with_the_bandwidth_of_the_link(profile):
    got = values(run("streams_and_events", options=f"{IDEAL},profile={profile}"))
    for direction in ("to_device", "to_host"):
        expected_ms = got["bytes"] / (PINNED_GB_PER_S[profile] * 1e6)
        assert got[f"{direction}_ms"] == pytest.approx(expected_ms, rel=0.05)


def test_copies_of_both_directions_overlap():
    got = values(run("streams_and_events", options=IDEAL))
    longest = max(got["to_device_ms"], got["to_host_ms"])
    assert got["both_ms"] == pytest.approx(longest, rel=0.05)


def test_kernels_hide_behind_the_copies_that_feed_the_next_ones():
    got = values(run("streams_and_events", options=IDEAL))
    assert got["to_device_ms"] < got["pipeline_ms"] < 1.2 * got["to_device_ms"]


def test_gemm_throughput_grows_with_size_and_stays_below_the_peak():
    rows = table(run("gemm_benchmark", options=IDEAL), columns=4)
    peaks = {1: 67, 2: 990, 3: 990}  # H200, dense, fp32 and bf16
    for column, peak in peaks.items():
        throughput = [row[column] for row in rows]
        assert all(later > 0.98 * earlier for earlier, later in zip(throughput, throughput[1:]))
        assert 0.5 * peak < throughput[-1] < peak


def test_cublas_and_cublaslt_take_the_same_time_for_the_same_product():
    for row in table(run("gemm_benchmark", options=IDEAL), columns=4):
        assert row[2] == pytest.approx(row[3], rel=0.02)


@pytest.mark.parametrize("ranks", [2, 4])
def test_fitted_alpha_and_beta_are_the_configured_ones(ranks):
    got = values(run("all_reduce_benchmark", ranks, options=f"{IDEAL},alpha_us=8,beta_gb_per_s=200"))
    assert got["alpha_us"] == pytest.approx(8, rel=0.05)
    assert got["beta_gb_per_s"] == pytest.approx(200, rel=0.05)


def test_alpha_and_beta_show_through_jitter_and_scatter():
    got = values(run("all_reduce_benchmark", 4, options="alpha_us=30,beta_gb_per_s=100"))
    assert got["alpha_us"] == pytest.approx(30, rel=0.05)
    assert got["beta_gb_per_s"] == pytest.approx(100, rel=0.05)


def test_bus_bandwidth_of_a_large_reduction_is_beta():
    rows = table(run("all_reduce_benchmark", 4, options=f"{IDEAL},alpha_us=2,beta_gb_per_s=150"), columns=4)
    assert [row[0] for row in rows] == [8 * 2**i for i in range(28)]
    assert rows[-1][3] == pytest.approx(150, rel=0.05)


def test_kernels_of_a_product_belong_to_the_function_that_the_program_called(tmp_path):
    run("gemm_benchmark", options=IDEAL, truth=tmp_path)
    (process,) = read_directory(tmp_path)
    kernels = [span for span in process.spans if span.kind == "kernel"]
    assert {span.call.function for span in kernels} == {"cublasSgemm_v2", "cublasGemmEx", "cublasLtMatmul"}
    through_lt = [span.name for span in kernels if span.call.function == "cublasLtMatmul"]
    assert [span.name for span in kernels if span.call.function == "cublasGemmEx"] == through_lt
    assert all("nvjet_tst" in name or "splitKreduce" in name for name in through_lt)


@pytest.mark.parametrize("ranks", [2, 4])
def test_the_truth_of_a_benchmark_is_complete_and_consistent(tmp_path, ranks):
    run("all_reduce_benchmark", ranks, 1 << 20, 1, truth=tmp_path)
    processes = read_directory(tmp_path)
    assert len(processes) == ranks
    assert not list(faults(processes))
