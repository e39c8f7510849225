"""The results of reading traces, family by family: rows of docs/traces.md, which scripts/traces writes."""

import collections
import datetime
import gzip
import json
import pathlib
import subprocess

from trace_families import DIALECTS, REFUSED, trace_of

IDLE = "idle_"


def run(*command):
    return subprocess.run([str(part) for part in command], capture_output=True, text=True, timeout=600)


def read(tauprof, source, logs):
    """The report of a trace or of a folder of one trace a rank (None: there is none), and what was said on the way."""
    done = run(tauprof, "import", "kineto", source, "-o", logs)
    said = done.stderr.splitlines()
    if done.returncode != 0:
        return None, said
    done = run(tauprof, "analyze", logs, "--json", "-")
    return (json.loads(done.stdout) if done.returncode == 0 else None), said + done.stderr.splitlines()


def kernels_of(report):
    return [kernel for kernel in report["kernels"] if kernel["class"] != "copy"]


def busy_ns(report):
    return sum(ns or 0 for row, ns in report["ledger"]["rows"].items() if not row.startswith(IDLE))


def phases_of(report):
    """Those in which the host or the device spent time, but for what lies in none."""
    times = ("device_ns", "host_ns")
    return [phase["name"] for phase in report["phases"] if not phase["derived"] and phase["name"] != "other"
            and any((phase[time] or {}).get("mean") for time in times)]


def steps_in_words(report):
    steps = report["steps"]
    return f"{steps['count']} {steps['unit']}{'' if steps['count'] == 1 else 's'} ({steps['detected_by']})"


def family_of(path):
    """Who may have written the trace, by its categories and names."""
    with (gzip.open if path.name.endswith(".gz") else open)(path, "rt", encoding="utf-8", errors="replace") as file:
        try:
            trace = json.load(file)
        except ValueError:
            return "no JSON"
    events = trace if isinstance(trace, list) else trace.get("traceEvents", [])
    categories = {str(event.get("cat", "")) for event in events if isinstance(event, dict)}
    names = {str(event.get("name", "")) for event in events if isinstance(event, dict)}
    for vendor in ("xpu", "mtia", "privateuse1", "hpu", "mlu", "gcu"):
        if any(category.startswith(vendor + "_") for category in categories):
            return f"PyTorch ({vendor})"
    if any(name.startswith("hip") for name in names):
        return "PyTorch (ROCm)"
    if "Operator" in categories:
        return "PyTorch 1.8 to 1.11"
    if isinstance(trace, dict) and "baseTimeNanoseconds" in trace:
        return "PyTorch 2.3 or newer"
    return "PyTorch 1.12 to 2.2" if "cpu_op" in categories else "another"


def row_of(name, family, report, said):
    said = "; ".join(line.split(": ", 2)[-1] for line in said[:2])
    if report is None:
        return [name, family, "–", "–", "–", "–", "–", "–", f"refused: {said}"]
    kernels, quality = kernels_of(report), report["quality"]
    spans = sum(kernel["count"] for kernel in report["kernels"])
    return [name, family, f"{quality['events']:,}", f"{sum(kernel['count'] for kernel in kernels):,}",
            f"{max(0, spans - quality['unmatched_spans']):,} of {spans:,}",
            f"{sum(kernel['total_ns'] for kernel in kernels) / 1e6:.3f} ms", f"{busy_ns(report) / 1e6:.3f} ms",
            steps_in_words(report), ", ".join(phases_of(report)) + (f". {said}" if said else "")]


HEAD = ["trace", "family", "events", "kernels", "launches joined", "kernel time", "busy", "steps", "phases; what is said"]


def table(rows):
    lines = ["| " + " | ".join(HEAD) + " |", "| " + " | ".join(["---"] * len(HEAD)) + " |"]
    return "\n".join(lines + ["| " + " | ".join(cell.replace("|", "\\|") for cell in row) + " |" for row in rows])


def made_up_rows(tauprof, folder):
    rows = []
    for dialect in DIALECTS:
        source = folder / dialect.name / "trace.json"
        source.parent.mkdir()
        source.write_text(json.dumps(trace_of(dialect)[0]))
        rows.append(row_of(dialect.name, dialect.about, *read(tauprof, source, folder / dialect.name / "logs")))
    for name, (content, _) in REFUSED.items():
        source = folder / name
        source.write_bytes(content)
        rows.append(row_of(name, "no such trace", *read(tauprof, source, folder / f"{name}.logs")))
    return rows


def jobs_in(folder):
    """Folders of traces, one rank each, and traces that lie in `folder` itself."""
    jobs = collections.defaultdict(list)
    for path in sorted(folder.rglob("*")):
        if path.is_file() and path.name.endswith((".json", ".json.gz")) and path.stat().st_size:
            jobs[path if path.parent == folder else path.parent].append(path)
    return jobs


def given_rows(tauprof, traces, folder):
    rows = []
    for i, (source, files) in enumerate(sorted(jobs_in(traces).items())):
        name = f"{source.relative_to(traces)} ({len(files)} file{'' if len(files) == 1 else 's'})"
        rows.append(row_of(name, family_of(files[0]), *read(tauprof, source, folder / str(i))))
    return rows


def document(tauprof, traces, folder, command):
    today = datetime.date.today()
    (folder / "made-up").mkdir()
    (folder / "given").mkdir()
    return f"""# Traces of other tools

What `tauprof import kineto` and `tauprof analyze` read of the traces of each family. Written by `{command}` on
{today.day} {today:%B %Y}. Do not edit it.

*Kernel time* is the sum of all kernels; *busy* is the time in which a rank's devices ran kernels or copies, overlap
counted once. Both are sums over the ranks and their analysed steps. *Launches joined* counts kernels and copies whose
launch is in the trace.

## Generated files, one of each family

`tests/e2e/kineto_cases/trace_families.py` writes one program in the dialect of each profiler. All have 64 kernels of
250 µs, which are 16.000 ms, and four copies of 200 µs, so 16.800 ms busy; and four steps of 10 ms, where the dialect
marks steps. Each row is a test.

{table(made_up_rows(tauprof, folder / "made-up"))}

## Traces in the given folder: `{traces.name}`

{table(given_rows(tauprof, traces, folder / "given")) if traces.is_dir() else "None."}
"""


def write_document(tauprof, traces, folder, output, command):
    pathlib.Path(output).write_text(document(tauprof, traces, folder, command), encoding="utf-8")
