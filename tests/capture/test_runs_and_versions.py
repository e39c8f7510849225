"""The facts in a log about its process, and which logs of a directory belong to the run that is analysed."""

import re
import sys

import pytest

from recorded_run import fault_program, tauprof, training

STEPS = 4
PYTHON_WITH_CUDA = """
import ctypes
ctypes.CDLL("libcudart.so.13", mode=ctypes.RTLD_GLOBAL)
assert ctypes.CDLL(None).cudaDeviceSynchronize() == 0
"""


@pytest.mark.parametrize("marker", ["nvtx:step*", "nvtx:forward", "call:cudaMemcpyAsync",
                                    "kernel:*embedding_forward_kernel*"])
def test_steps_start_at_the_users_marker(recorder, marker):
    run = recorder.run(training(f"--steps {STEPS} --nvtx", 2), variables={"TAUPROF_STEP_MARKER": marker})
    assert run.errors == ""
    steps = run.report()["steps"]
    assert steps["detected_by"] == f"marker {marker}"
    assert steps["count"] + steps["warmup"] == STEPS


def test_a_marker_without_matches_is_named_and_ignored(recorder):
    run = recorder.run(training(f"--steps {STEPS} --nvtx", 2), variables={"TAUPROF_STEP_MARKER": "kernel:nothing*"})
    assert run.report()["steps"]["detected_by"] == "marker step"
    [line] = tauprof("analyze", str(run.logs)).stderr.splitlines()
    assert line.endswith("the step marker kernel:nothing* matches nothing in 2 logs; the steps were looked for in other ways")


def test_versions_of_the_libraries_are_in_the_report(recorder):
    versions = recorder.run(training("--steps 2", 2)).report()["run"]["versions"]
    assert {"tauprof", "cuda_runtime", "cuda_driver", "cublas", "cublaslt", "nccl", "cupti"} <= versions.keys()
    assert all(re.fullmatch(r"\d+(\.\d+)*", version) for version in versions.values()), versions
    assert versions["cuda_runtime"].startswith("13.")


def test_the_version_of_python_is_in_the_log(recorder):
    run = recorder.run([sys.executable, "-c", PYTHON_WITH_CUDA])
    assert run.what_the_user_sees() == (0, "", "")
    versions = {row["name"]: row["value"] for row in run.only_log().rows["attribute"]}
    assert versions["version.python"] == ".".join(map(str, sys.version_info[:3]))


def test_an_unwanted_rank_leaves_no_log_even_if_only_nccl_knows_the_rank(recorder):
    bare = recorder.run([fault_program("captures"), "forked"], preload=False)
    for ranks, logs in (("0", 1), ("5-7", 0)):
        run = recorder.run([fault_program("captures"), "forked"], variables={"TAUPROF_RANKS": ranks})
        assert run.what_the_user_sees() == bare.what_the_user_sees()
        assert len(list(run.logs.iterdir())) == logs


def test_a_process_that_only_queries_devices_is_not_the_newest_run(recorder):
    """After the job, in its directory, a script asked for the free memory."""
    job = recorder.run(training("--steps 3", 2))
    looks = [fault_program("ends"), "return", "0"]
    assert recorder.run(looks, variables={"TAUPROF_DIR": str(job.logs)}).status == 0
    assert len(job.log_files()) == 3
    assert job.report()["run"]["ranks"] == 2
    notes = tauprof("analyze", str(job.logs)).stderr
    assert "2 runs; analysing the newest" in notes


def test_a_program_that_launches_work_is_a_run_of_its_own(recorder):
    job = recorder.run(training("--steps 3", 2))
    assert recorder.run([fault_program("ends"), "return", "5"], variables={"TAUPROF_DIR": str(job.logs)}).status == 0
    assert job.report()["run"]["ranks"] == 1


def test_a_process_that_only_queries_devices_is_reported_if_it_is_alone(recorder):
    run = recorder.run([fault_program("ends"), "return", "0"])
    assert tauprof("analyze", str(run.logs), "--show", "recording").stdout.startswith("tauprof report   preload")
