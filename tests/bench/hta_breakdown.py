"""The time that HolisticTraceAnalysis takes to load a directory of traces and compute its breakdown and overlap.

Runs in the virtual environment that has it. Starting Python and importing the package are not counted.
"""

import importlib.metadata
import json
import logging
import sys
import time

logging.disable(logging.INFO)

from hta.trace_analysis import TraceAnalysis  # noqa: E402: after its logging is turned down


def main():
    start = time.perf_counter()
    analysis = TraceAnalysis(trace_dir=sys.argv[1])
    breakdown = analysis.get_temporal_breakdown(visualize=False)
    overlap = analysis.get_comm_comp_overlap(visualize=False)
    seconds = time.perf_counter() - start
    ranks = [{"rank": int(time_row["rank"]),
              **{f"{name}_time_us": float(time_row[f"{name}_time(us)"])
                 for name in ("idle", "compute", "non_compute", "kernel")},
              "comp_comm_overlap_pctg": float(overlap_row["comp_comm_overlap_pctg"])}
             for (_, time_row), (_, overlap_row) in zip(breakdown.iterrows(), overlap.iterrows())]
    print(json.dumps({"seconds": seconds, "ranks": ranks,
                      "version": importlib.metadata.version("HolisticTraceAnalysis"),
                      "pandas": importlib.metadata.version("pandas")}))


if __name__ == "__main__":
    main()
