"""Tasks and tools: what each tool is asked, by which command, and how long its user waits for the answer.

Whole commands are measured, with the start of Python where a tool is a Python package: that is what a user waits for.
Sampling and recording take as long as one lets them, which is not counted. Cells of tools that cannot run here (an AMD
package that is not on PyPI, NVIDIA's nsys) are from their documents and have no seconds.
"""

import os
import pathlib
import shutil
import statistics
import subprocess
import sys

from measuring import BenchError, alternating, measure, run
from results import number, table

HERE = pathlib.Path(__file__).resolve().parent
PACKAGES = ("HolisticTraceAnalysis", "pandas<3", "memray", "py-spy")
TRACES, OTHER = "torchrec_sst2a", "torchrec_sst5qb"  # four ranks each
KINETO_SETS = ("torchrec_sst2a", "torchrec_sst5qb", "param_dlrm_8rank", "hta_nccl_data_1of2")
SAMPLED_S = 2
HEADS = ["", "tauprof", "HTA", "torch.profiler", "py-spy", "memray", "TraceLens (documents)", "nsys (documents)"]
ONE_PROCESS = "no: one process"


def tools_python(folder):
    """The Python of a virtual environment with the packages."""
    python = folder / "bin" / "python"
    has_all = [python, "-c", "import hta.trace_analysis, memray"]
    if not python.exists() or subprocess.run(has_all, capture_output=True).returncode != 0:
        print("bench: installing HTA, memray and py-spy (some minutes) ...", file=sys.stderr)
        subprocess.run([sys.executable, "-m", "venv", folder], check=True)
        done = subprocess.run([python, "-m", "pip", "install", "--quiet", *PACKAGES], capture_output=True, text=True)
        if done.returncode != 0:
            raise BenchError(f"the tools cannot be installed: {done.stderr.strip().splitlines()[-1]}")
    return python


def torch_python(root):
    """A Python with PyTorch: scripts/test-pytorch makes one."""
    python = pathlib.Path(os.environ.get("TAUPROF_PYTORCH_PYTHON", root / "build/pytorch/cuda13/bin/python"))
    return python if python.exists() else None


def seconds_of(rounds, command):
    """The median, or None where the tool ends with an error instead of an answer."""
    try:
        return statistics.median(run(command).seconds for _ in range(rounds))
    except BenchError as error:
        print(f"bench: {error}", file=sys.stderr)
        return None


class Asking:
    def __init__(self, bench, python):
        self.bench, self.python, self.tauprof = bench, python, bench.programs["tauprof"]
        self.folder = bench.folder / "asked"
        shutil.rmtree(self.folder, ignore_errors=True)
        self.folder.mkdir(parents=True)
        self.traces, self.other = (bench.root / "tests" / "recorded" / name for name in (TRACES, OTHER))

    def cell(self, shown, command):
        seconds = seconds_of(self.bench.rounds, command)
        return f"`{shown}`: " + ("an error on this set" if seconds is None else f"{number(seconds)} s")

    def ours(self, words, *command):
        return self.cell(f"tauprof {words}", [self.tauprof, *command])

    def hta(self, shown, question, *traces):
        return self.cell(shown, [self.python, HERE / "hta_task.py", question, *traces])

    def lines_of_ours(self):
        """A recording with stacks of a job in which rank 1's host is stalled, once; then its lines."""
        logs, release = self.folder / "stacks", self.bench.root / "build" / "release"
        environment = {**os.environ, "SIMGPU_LIBRARY_DIR": str(release / "lib" / "simgpu")}
        job = [release / "tests" / "workloads" / "training", *"--ranks 2 --steps 6 --small --host-stall 1:30".split()]
        done = subprocess.run([self.bench.root / "scripts" / "with-simgpu", self.tauprof, "run", "--stacks", "slow",
                               "-o", logs, "--", *job], env=environment, capture_output=True, text=True)
        if done.returncode != 0:
            raise BenchError(f"the job for --show lines: {done.stderr.strip().splitlines()[-1]}")
        return self.ours("analyze logs --show lines", "analyze", logs, "--show", "lines")

    def table_of_torch(self):
        python = torch_python(self.bench.root)
        shown = "key_averages().table()"
        if python is None:
            return f"`{shown}`: no PyTorch here"
        loop = self.cell(shown, [python, HERE / "slow_line.py", SAMPLED_S, "profiled"])
        return loop if "error" in loop else f"{loop}, of which {SAMPLED_S} s of loop"

    def allocations(self):
        memray, log = self.python.parent / "memray", self.folder / "memray.bin"
        run([memray, "run", "-q", "-o", log, HERE / "slow_line.py", SAMPLED_S])
        return self.cell("memray stats", [memray, "stats", log]) + ", of host memory"

    def samples(self):
        command = [self.python.parent / "py-spy", "record", "-d", SAMPLED_S, "-f", "raw",
                   "-o", self.folder / "py-spy.txt", "--", self.python, HERE / "slow_line.py", SAMPLED_S + 1]
        return self.cell(f"py-spy record -d {SAMPLED_S}", command) + f", of which {SAMPLED_S} s of sampling; Python"

    def rows(self):
        traces, other, in_torch = self.traces, self.other, self.table_of_torch()
        return [
            ["Which rank do the others wait for?",
             self.ours("analyze traces", "analyze", traces),
             self.hta("get_potential_stragglers()", "which-rank", traces),
             "no: one rank", ONE_PROCESS, ONE_PROCESS,
             "`TraceLens_generate_multi_rank_collective_report_pytorch`: skew of collectives",
             "by eye, on one timeline of several reports"],
            ["Why?",
             self.ours("why traces 0", "why", traces, "0"),
             self.hta("critical_path_analysis()", "why", traces) + ", of the rank that you name",
             "by eye, in the trace", "no", "no", "no",
             "by eye, on the timeline"],
            ["What is gained without it?",
             self.ours("whatif traces --fix rank:2", "whatif", traces, "--fix", "rank:2"),
             "no", "no", "no", "no", "no", "no"],
            ["Which line?",
             self.lines_of_ours(), "no", in_torch, self.samples(), self.allocations(), "no",
             "with `--python-sampling`, on the timeline"],
            ["Which operator?",
             self.ours("analyze traces --show operators", "analyze", traces, "--show", "operators"),
             self.hta("get_gpu_kernel_breakdown()", "which-operator", traces) + ", kernels",
             in_torch, "no", "no",
             "`TraceLens_generate_perf_report_pytorch`",
             "`nsys stats --report cuda_gpu_kern_sum`, kernels"],
            ["Did it get faster, and where?",
             self.ours("diff traces --against old", "diff", traces, "--against", other),
             self.hta("TraceDiff.compare_traces()", "compare", traces, other) + ", without chance",
             "no", "no", "no",
             "`TraceLens_generate_perf_report_pytorch --comparison_json_path`",
             "`nsys recipe diff`"],
        ]


def versions(python, torch):
    listed = subprocess.run([python, "-c", "from importlib.metadata import version as v\n"
                             "print(', '.join(f'{n} {v(n)}' for n in ('HolisticTraceAnalysis', 'memray', 'py-spy')))"],
                            capture_output=True, text=True, check=True).stdout.strip()
    if torch is not None:
        asked = [torch, "-c", "import torch; print(torch.__version__)"]
        listed += ", PyTorch " + subprocess.run(asked, capture_output=True, text=True, check=True).stdout.strip()
    return listed


def answers_of_hta(bench, python):
    """HTA's breakdown of each recorded set, and our whole report of it: one command each."""
    measures = []
    for name in KINETO_SETS:
        traces = bench.root / "tests" / "recorded" / name
        runs = alternating(bench.rounds, {
            "hta": lambda: run([python, HERE / "hta_task.py", "breakdown", traces]),
            "ours": lambda: run([bench.programs["tauprof"], "analyze", traces]),
        })
        ratios = [theirs.seconds / ours.seconds for theirs, ours in zip(runs["hta"], runs["ours"])]
        measures += [measure(f"{name}: HTA's breakdown", "s", [r.seconds for r in runs["hta"]], runs["hta"]),
                     measure(f"{name}: `tauprof analyze`", "s", [r.seconds for r in runs["ours"]], runs["ours"]),
                     measure(f"{name}: HTA ÷ tauprof", "×", ratios, at_least=20)]
    return measures


def tools_section(bench):
    section = {"title": "Seconds to an answer", "document": "comparison.md", "facts": [], "measures": []}
    try:
        python = tools_python(bench.folder / "tools")
    except (BenchError, subprocess.CalledProcessError) as error:
        return {**section, "skipped": str(error)}
    section["facts"] = [table(HEADS, Asking(bench, python).rows()), f"{versions(python, torch_python(bench.root))}."]
    section["measures"] = answers_of_hta(bench, python)
    return section
