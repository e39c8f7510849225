"""The training workload with every option, on every number of ranks: the logs contain what happened, and the program
behaves as without the recorder."""

import importlib.util
import pathlib

import pytest

from recorded_run import fault_program, training
from tiers import two_tiers

WORKLOAD_TESTS = pathlib.Path(__file__).resolve().parent.parent / "workloads" / "test_workload.py"
RANKS = (1, 2, 4)


def cases_of_the_workload():
    """(ranks, options) from the workload's own tests, which use every option."""
    specification = importlib.util.spec_from_file_location("workload_cases", WORKLOAD_TESTS)
    module = importlib.util.module_from_spec(specification)
    specification.loader.exec_module(module)
    return module.CASES


def ranks_of_one_model(text):
    words = text.split()
    return [int(words[words.index(option) + 1]) for option in ("--tensor", "--pipeline") if option in words]


def fits(ranks, text):
    for share in ranks_of_one_model(text):
        if ranks % share != 0:
            return False
        ranks //= share
    return True


OPTION_SETS = list(dict.fromkeys(text for _, text in cases_of_the_workload()))
CASES = [(ranks, text) for text in OPTION_SETS for ranks in RANKS if fits(ranks, text)]


@pytest.mark.parametrize("ranks,text", two_tiers(CASES, cases_of_the_workload().__contains__),
                         ids=[f"{ranks} {text}".strip() for ranks, text in CASES])
def test_logs_hold_what_happened_exactly_once(recorder, ranks, text):
    steps = "" if "--steps" in text else "--steps 3 "
    run = recorder.run(training(steps + text, ranks))
    assert run.status == 0, run.errors
    assert run.errors == ""
    assert run.faults() == ""
    assert run.check().returncode == 0
    assert len(run.log_files()) == ranks


def test_graphs_are_recorded_node_by_node_if_wanted(recorder):
    run = recorder.run(training("--steps 3 --graph", 1),
                       variables={"TAUPROF_CAPTURE": "api,device,gemm,nccl,graph-nodes"})
    assert run.errors == ""
    assert run.faults("--graph-nodes") == ""


def test_work_of_cublas_belongs_to_the_cublas_call(recorder):
    run = recorder.run([fault_program("vectors")])
    assert run.what_the_user_sees() == (0, "", "")
    assert run.faults() == ""
    functions = {row["function"] for row in run.only_log().rows["call"]}
    assert {"cublasSetMatrix", "cublasSaxpy_v2", "cublasSdot_v2", "cublasSgemv_v2", "cublasStrsm_v2"} <= functions
