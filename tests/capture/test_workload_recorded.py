"""The training workload with every option: what the log holds is what happened, and the program does what it does."""

import importlib.util
import pathlib

import pytest

from recorded_run import training

WORKLOAD_TESTS = pathlib.Path(__file__).resolve().parent.parent / "workloads" / "test_workload.py"


def load_cases():
    """The workload's own list, which uses every option."""
    specification = importlib.util.spec_from_file_location("workload_cases", WORKLOAD_TESTS)
    module = importlib.util.module_from_spec(specification)
    specification.loader.exec_module(module)
    return module.CASES


CASES = load_cases()


@pytest.mark.parametrize("ranks,text", CASES, ids=[f"{ranks} {text}".strip() for ranks, text in CASES])
def test_logs_hold_what_happened_exactly_once(recorder, ranks, text):
    steps = "" if "--steps" in text else "--steps 3 "
    run = recorder.run(training(steps + text, ranks))
    assert run.status == 0, run.errors
    assert run.errors == ""
    assert run.faults() == ""
    assert run.check().returncode == 0
    assert len(run.log_files()) == ranks


def test_graphs_are_recorded_node_by_node_where_that_is_asked_for(recorder):
    run = recorder.run(training("--steps 3 --graph", 1),
                       variables={"TAUPROF_CAPTURE": "api,device,gemm,nccl,graph-nodes"})
    assert run.errors == ""
    assert run.faults("--graph-nodes") == ""
