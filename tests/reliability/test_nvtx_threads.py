"""The memory that a thread holds for its NVTX ranges goes to another thread when it ends."""

from faults import fault, run_both
from recorded_run import program

THREADS, RANGES_EACH = 11_000, 2


@fault("Thousands of short threads use NVTX", loses="ranges of threads that find no buffer, counted")
def test_memory_of_ended_threads_is_used_again(recorder):
    command = [program("TAUPROF_RELIABILITY_PROGRAMS") + "/short_ranges", str(THREADS - 1000)]
    _, run = run_both(recorder, command)
    assert run.output == "address space: as before\nmemory: as before\n"
    log = run.only_log()
    dropped = sum(row["count"] for row in log.rows["drop"] if row["kind"] == "range")
    assert len(log.rows["range"]) + dropped == RANGES_EACH * THREADS
