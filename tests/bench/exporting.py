"""Times and sizes of what a run is written as, each compared with the analysis alone that every output starts with."""

import json
import shutil

from data_sets import size_of
from measuring import alternating, measure, run

FORMATS = ("perfetto", "sqlite", "csv", "kineto")


def exports_section(bench):
    logs = bench.data.logs(2, 500_000 if bench.quick else 5_000_000)
    tauprof, folder = bench.programs["tauprof"], bench.folder / "exports"
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir()
    report = folder / "report.json"

    def exported(form):
        output = folder / form
        if output.is_dir():
            shutil.rmtree(output)
        return run([tauprof, "export", logs, "-f", form, "-o", output])

    outputs = {"json": lambda: run([tauprof, "analyze", logs, "--json", report]),
               "html": lambda: run([tauprof, "analyze", logs, "--html", folder / "report.html"]),
               **{form: lambda form=form: exported(form) for form in FORMATS}}
    runs = alternating(bench.rounds, outputs)
    analyses = [r.seconds for r in runs["json"]]
    sizes = {"json": report, "html": folder / "report.html", **{form: folder / form for form in FORMATS}}
    megabytes = {name: (size_of(path) if path.is_dir() else path.stat().st_size) / 1e6 for name, path in sizes.items()}
    events = json.loads(report.read_text())["quality"]["events"]
    measures = [measure("analyze --json (baseline)", "s", analyses, runs["json"])]
    for name in ("html", *FORMATS):
        what = "analyze --html" if name == "html" else f"export -f {name}"
        measures += [measure(what, "s", [r.seconds for r in runs[name]], runs[name]),
                     measure(f"{what} ÷ analyze", "×", [r.seconds / a for r, a in zip(runs[name], analyses)]),
                     measure(f"{what}, size", "MB", [megabytes[name]])]
    shutil.rmtree(folder)
    return {
        "title": "Outputs",
        "facts": [f"2 ranks, {events:,} events (host calls and device spans), {size_of(logs) / 1e6:.1f} MB of logs in the "
                  f"page cache; `report.json` has {megabytes['json']:.1f} MB. Files are written to a disk that others may "
                  "use, so the CPU time tells more than the wall time."],
        "measures": measures,
    }
