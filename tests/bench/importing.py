"""Import of one large trace, compared with a walk of the same file that keeps nothing."""

import json
import shutil

from data_sets import size_of
from measuring import alternating, measure, run


def import_into(tauprof, traces, logs):
    """One import into an empty directory, which is emptied outside the measured time."""
    shutil.rmtree(logs, ignore_errors=True)
    return run([tauprof, "import", "kineto", traces, "-o", logs])


def import_section(bench):
    folder = bench.data.traces(1, 50 if bench.quick else 500)
    trace, size = next(folder.iterdir()), size_of(folder) / 1e6
    logs = bench.folder / "imported"
    runs = alternating(bench.rounds, {
        "walk": lambda: run([bench.programs["kineto_walk"], trace]),
        "import": lambda: import_into(bench.programs["tauprof"], trace, logs),
    })
    walks = [json.loads(r.output) for r in runs["walk"]]
    log_size = size_of(logs) / 1e6
    shutil.rmtree(logs)
    ratio = [w["seconds"] / i.seconds for w, i in zip(walks, runs["import"])]
    cpu_ratio = [w["seconds"] / i.cpu_seconds for w, i in zip(walks, runs["import"])]
    return {
        "title": "Import of one large trace",
        "facts": [f"A generated Kineto file of {size:.0f} MB, {walks[0]['events']:,} trace events, in the page cache; "
                  f"the log takes {log_size:.1f} MB. simdjson {walks[0]['simdjson']}."],
        "measures": [
            measure("simdjson walk (baseline)", "MB/s", [size / w["seconds"] for w in walks]),
            measure("`tauprof import kineto`", "MB/s", [size / r.seconds for r in runs["import"]], runs["import"]),
            measure("import ÷ walk", "×", ratio, at_least=0.5),
            measure("import ÷ walk, per CPU second", "×", cpu_ratio),
            measure("peak memory of the import", "MB", [r.peak_mb for r in runs["import"]], below=512),
        ],
    }
