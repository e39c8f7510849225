"""tauprof: where the time of a distributed GPU training run goes, and why.

    import tauprof
    report = tauprof.load("tauprof-logs")
    print(report.verdict.title)
    report.table("kernels").head()
    report.whatif("--without", "stalls")
"""

from tauprof.command import TauprofError, recorder
from tauprof.parquet import to_parquet
from tauprof.report import Report, load, of_json
from tauprof.verbs import diff, health, whatif

__all__ = ["Report", "TauprofError", "diff", "health", "load", "of_json", "recorder", "to_parquet", "whatif"]
