"""HolisticTraceAnalysis gives on our export of each recorded trace what it gives on the original, row by row.

Where a Python with HTA is: TAUPROF_HTA_PYTHON, or build/bench/venv, which scripts/bench makes."""

import os
import pathlib
import subprocess

import pytest

from test_kineto import SETS, import_kineto

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent
pytestmark = pytest.mark.full

COMPARE = r"""
import re, sys, pathlib, warnings
warnings.filterwarnings("ignore")
import pandas
from hta.trace_analysis import TraceAnalysis

QUESTIONS = {
    "temporal breakdown": lambda t, ranks: t.get_temporal_breakdown(visualize=False),
    "overlap": lambda t, ranks: t.get_comm_comp_overlap(visualize=False),
    "kernels": lambda t, ranks: t.get_gpu_kernel_breakdown(visualize=False),
    "idle": lambda t, ranks: t.get_idle_time_breakdown(ranks=ranks, visualize=False),
    "launches": lambda t, ranks: t.get_cuda_kernel_launch_stats(ranks=ranks, visualize=False),
    "bandwidth": lambda t, ranks: t.get_memory_bw_summary(ranks=ranks),
    "bandwidth over time": lambda t, ranks: t.get_memory_bw_time_series(ranks=ranks),
    "queue length": lambda t, ranks: t.get_queue_length_summary(ranks=ranks),
    "queue length over time": lambda t, ranks: without_numbers(t.get_queue_length_time_series(ranks=ranks)),
    "stragglers": lambda t, ranks: t.get_potential_stragglers(),
}


# Its rows have the numbers of their events in the file, which also holds what the export leaves out.
def without_numbers(answers):
    return {rank: answer.reset_index(drop=True) for rank, answer in answers.items()}


def opened(folder):
    files = {}
    for path in sorted(pathlib.Path(folder).iterdir()):
        files[int(re.search(r"rank-(\d+)", path.name)[1])] = str(path)
    return TraceAnalysis(trace_files=files, trace_dir=folder), list(files)


def answer(question, trace, ranks):
    try:
        return question(trace, ranks)
    except Exception as error:
        return repr(error)


def is_same(one, other):
    if isinstance(one, (pandas.DataFrame, pandas.Series)):
        # HTA narrows the types of whole columns by all that a trace holds, also what is in none of its answers.
        return type(one) is type(other) and one.astype(str).replace(r"\.0$", "", regex=True).equals(
            other.astype(str).replace(r"\.0$", "", regex=True))
    if isinstance(one, (tuple, list)):
        return len(one) == len(other) and all(map(is_same, one, other))
    if isinstance(one, dict):
        return one.keys() == other.keys() and all(is_same(one[key], other[key]) for key in one)
    return one == other


original, export = opened(sys.argv[1]), opened(sys.argv[2])
for name, question in QUESTIONS.items():
    print(name, "is the same" if is_same(answer(question, *original), answer(question, *export)) else "DIFFERS")
"""


@pytest.fixture(scope="module")
def python_with_hta():
    python = os.environ.get("TAUPROF_HTA_PYTHON", ROOT / "build" / "bench" / "venv" / "bin" / "python")
    if not os.path.exists(python) or subprocess.run([python, "-c", "import hta"], capture_output=True).returncode != 0:
        pytest.skip("no Python here has HolisticTraceAnalysis: scripts/bench hta installs it")
    return python


@pytest.mark.parametrize("name", SETS)
def test_hta_sees_no_difference(tauprof, data_folder, export, tmp_path, python_with_hta, name):
    folder = export(import_kineto(tauprof, data_folder / name, tmp_path / "logs"), "kineto")
    done = subprocess.run([python_with_hta, "-c", COMPARE, data_folder / name, folder], capture_output=True, text=True,
                          timeout=300)
    assert done.returncode == 0, done.stderr[-2000:]
    answers = [line for line in done.stdout.splitlines() if line.endswith(("is the same", "DIFFERS"))]
    assert len(answers) == 10 and not [line for line in answers if line.endswith("DIFFERS")], answers
