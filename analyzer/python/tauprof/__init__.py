"""tauprof: where the time of a distributed GPU training run goes, and why.

    import tauprof
    report = tauprof.load("tauprof-logs")
    print(report.verdict.title)
    report.table("kernels").head()
"""

from tauprof.command import recorder
from tauprof.parquet import to_parquet
from tauprof.report import Report, TauprofError, load, of_json

__all__ = ["Report", "TauprofError", "load", "of_json", "recorder", "to_parquet"]
