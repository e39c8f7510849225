"""HolisticTraceAnalysis on the same traces: installed once, measured, and its results compared with ours."""

import json
import pathlib
import subprocess
import sys

from importing import import_into
from measuring import BenchError, alternating, measure, run

BREAKDOWN = pathlib.Path(__file__).resolve().parent / "hta_breakdown.py"
# HTA 0.5.0 stores large indices in 16-bit columns, which pandas 3 rejects.
PACKAGES = ("HolisticTraceAnalysis", "pandas<3")
FIELDS = ("idle_time_us", "compute_time_us", "non_compute_time_us", "kernel_time_us", "comp_comm_overlap_pctg")


def installed_python(folder):
    """The Python of a virtual environment with HTA."""
    python = folder / "bin" / "python"
    has_hta = [python, "-c", "import hta.trace_analysis"]
    if python.exists() and subprocess.run(has_hta, capture_output=True).returncode == 0:
        return python
    print("bench: installing HolisticTraceAnalysis (some minutes) ...", file=sys.stderr)
    for command in ([sys.executable, "-m", "venv", folder],
                    [python, "-m", "pip", "install", "--quiet", *PACKAGES], has_hta):
        done = subprocess.run(command, capture_output=True, text=True)
        if done.returncode != 0:
            lines = (done.stderr or done.stdout).strip().splitlines() or ["no message"]
            raise BenchError(f"HolisticTraceAnalysis cannot be installed: {lines[-1]}")
    return python


def agreement(answers, report):
    """(equal, all) of the numbers that both tools print for each rank."""
    ours = {rank["rank"]: rank["hta"] for rank in report["per_rank"]}
    pairs = [(rank[field], ours.get(rank["rank"], {}).get(field)) for rank in answers["ranks"] for field in FIELDS]
    return sum(theirs == mine for theirs, mine in pairs), len(pairs)


def compare_on(bench, python, name, traces):
    logs, report = bench.folder / "imported", bench.folder / "report.json"
    tauprof = bench.programs["tauprof"]
    runs = alternating(bench.rounds, {
        "hta": lambda: run([python, BREAKDOWN, traces]),
        "import": lambda: import_into(tauprof, traces, logs),
        "analyze": lambda: run([tauprof, "analyze", logs, "--json", report]),
    })
    answers = [json.loads(r.output.splitlines()[-1]) for r in runs["hta"]]
    ours = [i.seconds + a.seconds for i, a in zip(runs["import"], runs["analyze"])]
    equal, numbers = agreement(answers[-1], json.loads(report.read_text()))
    memory = [max(i.peak_mb, a.peak_mb) for i, a in zip(runs["import"], runs["analyze"])]
    fact = (f"{name}: HTA {answers[0]['version']} (pandas {answers[0]['pandas']}) and tauprof give the same "
            f"{equal} of {numbers} numbers (idle, compute, non-compute and kernel time, overlap, per rank).")
    return fact, [
        measure(f"{name}: HTA (baseline)", "s", [a["seconds"] for a in answers], runs["hta"]),
        measure(f"{name}: `tauprof import` + `analyze`", "s", ours),
        measure(f"{name}: HTA ÷ tauprof", "×", [a["seconds"] / o for a, o in zip(answers, ours)], at_least=20),
        measure(f"{name}: peak memory of tauprof", "MB", memory),
    ]


def hta_section(bench):
    section = {"title": "HolisticTraceAnalysis on the same traces", "facts": [], "measures": []}
    try:
        python = installed_python(bench.folder / "venv")
    except BenchError as error:
        return {**section, "skipped": str(error)}
    megabytes = 2.5 if bench.quick else 25
    sets = {f"4 × {megabytes:g} MB generated": bench.data.traces(4, megabytes),
            "torchrec_sst5qb (4 ranks recorded)": bench.root / "tests" / "recorded" / "torchrec_sst5qb"}
    for name, traces in sets.items():
        fact, measures = compare_on(bench, python, name, traces)
        section["facts"].append(fact)
        section["measures"] += measures
    return section
