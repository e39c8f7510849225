"""The table of docs/coverage.md: which kind of program is seen through which doors, with the test that proves it.

scripts/coverage runs the proofs and writes the table. Whether a GPU has shown it, say the results of gpu-acceptance.
"""

from __future__ import annotations

import collections
import json
import pathlib
import subprocess
import sys
import tempfile
import xml.etree.ElementTree
from dataclasses import dataclass

ROOT = pathlib.Path(__file__).resolve().parents[2]
DOCUMENT = ROOT / "docs" / "coverage.md"
BEGIN, END = "<!-- programs: begin -->\n", "<!-- programs: end -->\n"
HEAD = "| program | doors | seen | lost | proof | |\n| --- | --- | --- | --- | --- | --- |\n"
SHOWN = "simulated"


@dataclass(frozen=True)
class Row:
    program: str
    doors: str
    seen: str
    lost: str
    proof: str  # a test
    built: str = ""  # the program of tests/doors that it is about
    check: str = ""  # of gpu-acceptance: the same on a GPU


ROWS = (
    Row("shared libraries (PyTorch's wheels)", "hooks", "everything", "",
        "tests/capture/test_report_against_truth.py::test_the_report_of_a_marked_run_matches_the_truth",
        check="torch-1"),
    Row("static runtime and NCCL, shared cuBLAS (nvcc's and CMake's default)", "injection, plugin, hooks",
        "everything: the same report", "the reduction of a collective",
        "tests/doors/test_doors.py::test_what_no_hook_sees_is_recorded_as_it_happened", built="training_static",
        check="nvcc-static"),
    Row("NCCL by ctypes or dlopen (vLLM, CuPy), shared runtime", "hooks, plugin", "everything: the same report",
        "the reduction of a collective",
        "tests/doors/test_doors.py::test_what_no_hook_sees_is_recorded_as_it_happened", built="training_late_nccl",
        check="nccl-by-ctypes"),
    Row("all libraries by dlopen and dlsym (JAX, CuPy)", "injection, plugin",
        "all calls of runtime and NCCL, all device work",
        "sizes of cuBLAS' multiplications, so HFU is a lower bound; calls of cuDNN by name. Their kernels belong to the launches inside of these libraries",
        "tests/doors/test_doors.py::test_each_way_has_the_report_of_the_shared_program", built="training_late",
        check="runtime-by-dlsym"),
    Row("a library that was opened with RTLD_DEEPBIND", "injection", "as by dlsym",
        "as by dlsym; ranges of NVTX in it, and calls of an NCCL that was opened with it",
        "tests/doors/test_doors.py::test_each_way_has_the_report_of_the_shared_program", built="training_deepbind"),
    Row("the driver's functions alone", "injection", "launches, copies, waits, memory, events, graphs",
        "functions without a row in `cuda_driver.def`",
        "tests/doors/test_doors.py::test_calls_of_the_driver_are_recorded", built="driver_only", check="driver-alone"),
    Row("launches through the driver in a program that hooks see (Triton, `torch.compile`)", "activity",
        "each launch, with its kernel", "arguments; waits and memory of the driver",
        "tests/capture/test_driver_launches.py::test_launches_through_the_driver_get_call_rows", check="torch-compile"),
    Row("steps that are CUDA graphs, in PyTorch", "hooks",
        "each launch: the collectives that it runs, in order, with their sizes, matched across ranks, in the table; its multiplications; what its kernels are; bytes of copies",
        "device times of what is in it, unless its nodes are recorded (`graph-nodes`)",
        "tests/pytorch/test_graph_contents.py::test_collectives_of_a_whole_step_are_matched_at_each_launch"),
    Row("the same, with `graph-nodes`", "hooks", "each node; waits split across ranks", "multiplications by shape",
        "tests/pytorch/test_graph_contents.py::test_with_records_of_nodes_the_waits_are_split"),
    Row("graphs with graphs in them, graphs whose launch is captured", "hooks", "as other graphs", "as other graphs",
        "tests/capture/test_graphs_recorded.py::test_a_graph_in_a_graph_is_looked_into"),
    Row("graphs with conditional nodes; all graphs with a driver older than CUDA 12.3", "hooks",
        "each launch; its collectives and multiplications outside of bodies",
        "what else it runs, and how often: it is `unclassified`, and HFU a lower bound",
        "tests/capture/test_graphs_recorded.py::test_what_a_conditional_node_runs_is_not_known_and_the_report_says_so"),
    Row("graphs that are edited, executables that are updated", "hooks", "what they hold then, at each launch", "",
        "tests/capture/test_graphs_recorded.py::test_graphs_that_change_are_known_anew_or_not_at_all"),
    Row("executables whose nodes are told to do something else (`cudaGraphExec…SetParams`, `cudaGraphNodeSetEnabled`)",
        "hooks", "each launch, its collectives",
        "what else it runs, unless the node has the same kernel, or copies as much",
        "tests/capture/test_graphs_recorded.py::test_graphs_that_change_are_known_anew_or_not_at_all"),
    Row("`torch.compile`, with CUDA graphs (`reduce-overhead`) or without", "hooks, activity", "every launch",
        "arguments of Triton's launches",
        "tests/pytorch/test_graph_contents.py::test_every_launch_of_compiled_programs_is_in_the_log"),
    Row("prefetches and batched copies, built for CUDA 12 or 13", "hooks", "calls with sizes and stream",
        "sizes of `cudaMemcpy3DBatchAsync`",
        "tests/capture/test_versioned_calls.py::test_calls_of_both_versions_are_recorded_with_their_stream"),
    Row("communicators that grow (`ncclCommGrow`) or shrink, and what is split from them", "hooks",
        "collectives, matched across all members", "",
        "tests/capture/test_one_process_recorded.py::test_each_device_of_a_process_has_the_rank_of_its_communicator"),
    Row("NCCL's symmetric kernels (buffers in registered windows), with `nccl-phases`", "hooks, plugin",
        "what NCCL 2.31 and newer says itself of waiting and moving, on each channel; compared with what clocks say", "",
        "tests/doors/test_nccl_phases.py::test_each_channel_says_how_long_it_waited", check="nccl-phases"),
    Row("communication by kernels outside of NCCL (NVSHMEM, DeepEP, symmetric memory, custom and fused all-reduces)",
        "activity", "its time, by the kernels' names: `comm`, or `fused` where it computes as well",
        "communicator, bytes, waits", "tests/e2e/test_generated.py::test_the_report_equals_the_oracles"),
    Row("virtual memory of the driver, in a program whose calls no hook sees", "injection",
        "memory in use while it is mapped", "", "tests/doors/test_doors.py::test_calls_of_the_driver_are_recorded",
        built="driver_only"),
    Row(
        "virtual memory of the driver in a program that hooks see, by functions that the runtime gave (PyTorch's `expandable_segments`)",
        "hooks", "memory in use while it is mapped",
        "that of programs that find the driver's functions by dlsym (older PyTorch): the peak is said to be a lower bound where PyTorch reserved more",
        "tests/pytorch/test_memory.py::test_memory_that_pytorch_takes_from_the_driver_is_known",
        check="expandable-segments"),
    Row("the same, in C++, for CUDA 12 and 13", "hooks", "memory in use while it is mapped", "",
        "tests/capture/test_entry_points.py::test_memory_of_the_driver_is_in_use_while_it_is_mapped"),
    Row(
        "a process that does not preload us, with `TAUPROF_ENABLE=1` and the three variables for injection",
        "injection, plugin", "as by dlsym; NVTX", "as by dlsym",
        "tests/doors/test_doors.py::test_a_library_that_was_not_preloaded_records_where_it_is_asked_to",
        check="not-preloaded"),
    Row("static, and another tool has `CUDA_INJECTION64_PATH`", "", "nothing: no log", "",
        "tests/doors/test_doors.py::test_another_tool_keeps_the_injection"),
    Row("static, with `TAUPROF_DEVICE_TIMING=events` or `off`", "", "nothing: CUPTI is left alone", "",
        "tests/doors/test_doors.py::test_cupti_is_left_alone_where_the_user_says_so"),
    Row("any, and the user names a plugin in `NCCL_PROFILER_PLUGIN`", "hooks, injection", "as above",
        "NCCL that no hook sees is kernels without communicator, size or order",
        "tests/doors/test_doors.py::test_a_plugin_that_the_user_names_has_the_slot"),
)


def outcomes_of(proofs):
    """{proof: "passed", or what else came of it}"""
    with tempfile.TemporaryDirectory() as folder:
        listed = pathlib.Path(folder) / "outcomes.xml"
        subprocess.run([sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", f"--junitxml={listed}", *proofs],
                       cwd=ROOT, check=False)
        tests = list(xml.etree.ElementTree.parse(listed).iter("testcase"))
    found = collections.defaultdict(collections.Counter)
    for test in tests:
        path = test.get("classname").replace(".", "/") + ".py"
        outcome = next((one.tag for one in test if one.tag in ("failure", "error", "skipped")), "passed")
        for proof in proofs:
            if proof.endswith(f"{path}::{test.get('name').partition('[')[0]}"):
                found[proof][outcome] += 1
    return {proof: "passed" if found[proof] and set(found[proof]) == {"passed"} else
            next((word for word in ("failure", "error", "skipped") if found[proof][word]), "not run") for proof in proofs}


def passed_on_a_gpu(results=ROOT / "docs" / "results"):
    """{check of gpu-acceptance: names of the GPUs on which it passed}"""
    passed = collections.defaultdict(set)
    for path in results.glob("*.json"):
        told = json.loads(path.read_text(encoding="utf-8"))
        gpus = [] if told["machine"]["simulated"] else told["machine"]["gpu_names"]  # "name, driver, memory"
        for one in told["checks"]:
            if one["outcome"] == "passed":
                passed[one["check"]].update(gpu.partition(",")[0] for gpu in gpus)
    return passed


def text_of(row, on_gpu):
    proof = f"`{row.proof}`" + (f" (`{row.built}`)" if row.built else "")
    where = ", ".join(sorted(on_gpu.get(row.check, ()))) or SHOWN
    return "| " + " | ".join((row.program, row.doors, row.seen, row.lost, proof, where)).replace("|  |", "| |") + " |\n"


def table():
    on_gpu = passed_on_a_gpu()
    return HEAD + "".join(text_of(row, on_gpu) for row in ROWS)


def document_with(text):
    before, _, rest = DOCUMENT.read_text(encoding="utf-8").partition(BEGIN)
    return before + BEGIN + text + END + rest.partition(END)[2]
