"""Analysis of our own logs, compared with a check of the same logs, which reads every byte and analyses nothing."""

import json

from data_sets import size_of
from measuring import alternating, measure, run


def analyze_section(bench):
    logs = bench.data.logs(2, 500_000 if bench.quick else 5_000_000)
    report, tauprof = bench.folder / "report.json", bench.programs["tauprof"]
    runs = alternating(bench.rounds, {
        "check": lambda: run([tauprof, "check", logs]),
        "analyze": lambda: run([tauprof, "analyze", logs, "--json", report]),
    })
    answer = json.loads(report.read_text())
    events, steps = answer["quality"]["events"], answer["steps"]["count"]
    checks, analyses = runs["check"], runs["analyze"]
    peaks = [r.peak_mb for r in analyses]
    return {
        "title": "Analysis of our own logs",
        "facts": [f"2 ranks, {events:,} events (host calls and device spans) in {steps:,} steps, "
                  f"{size_of(logs) / 1e6:.1f} MB of logs in the page cache."],
        "measures": [
            measure("`tauprof check` (baseline)", "M events/s", [events / 1e6 / r.seconds for r in checks], checks),
            measure("`tauprof analyze`", "M events/s", [events / 1e6 / r.seconds for r in analyses], analyses,
                    at_least=10),
            measure("analyze ÷ check", "×", [c.seconds / a.seconds for c, a in zip(checks, analyses)]),
            measure("analyze ÷ check, per CPU second", "×",
                    [c.cpu_seconds / a.cpu_seconds for c, a in zip(checks, analyses)]),
            measure("peak memory of analyze", "MB", peaks),
            measure("peak memory per event", "bytes", [peak * 1e6 / events for peak in peaks]),
        ],
    }
