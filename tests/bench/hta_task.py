"""One question to HolisticTraceAnalysis, as its user would write it: `hta_task.py QUESTION TRACES [OTHER_TRACES]`.

Runs in the virtual environment that has it. Prints HTA's answer; exit status 4 if HTA raises an error instead.
"""

import logging
import sys
import warnings

logging.disable(logging.WARNING)
warnings.simplefilter("ignore")

from hta.trace_analysis import TraceAnalysis  # noqa: E402: after its logging is turned down
from hta.trace_diff import TraceDiff  # noqa: E402

RANK = 2  # the one that is late, as somebody has to say
QUESTIONS = {
    "which-rank": lambda traces: TraceAnalysis(trace_dir=traces).get_potential_stragglers(),
    "why": lambda traces: TraceAnalysis(trace_dir=traces).critical_path_analysis(
        rank=RANK, annotation="ProfilerStep", instance_id=1)[0].summary(),
    "which-operator": lambda traces: TraceAnalysis(trace_dir=traces).get_gpu_kernel_breakdown(visualize=False)[0],
    "compare": TraceDiff.compare_traces,
    "breakdown": lambda traces: TraceAnalysis(trace_dir=traces).get_temporal_breakdown(visualize=False),
}


def main():
    question, *traces = sys.argv[1:]
    try:
        print(QUESTIONS[question](*traces))
    except ValueError as error:
        print(f"ValueError: {error}")
        sys.exit(4)


if __name__ == "__main__":
    main()
