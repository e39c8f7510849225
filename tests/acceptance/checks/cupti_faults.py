"""The faults of versions of CUPTI (docs/device-times.md), on the ones that this machine has."""

import os

from check import Check, Lacked

STREAMS, SETS = 64, 500
OLD_CUPTI = range(22, 27)  # CUDA 12.4 to 12.8
FLUSH_CAN_CRASH_BELOW = 130001  # CUDA 13.0 Update 1
WINDOW_S = 2  # the first call takes a good part of a second on a GPU
MILLISECOND = 1_000_000


def exhaust_buffers(trial, choices):
    """`choices`: runtimes, each with variables that choose its CUPTI."""
    tried = trial.evidence.setdefault("tried", [])
    for runtime, variables in choices:
        _, run = trial.run_both(trial.cuda_calls("backlog", SETS, runtime=runtime),
                                variables={"TAUPROF_BUFFER_MB": "1", **variables})
        trial.expect_silence(run)
        log = trial.only_log(run)
        if log is None:
            continue
        drops, rows = log.drops(), len(log.work("memset"))
        tried.append({"cupti": log.cupti_version(), "runtime": runtime["runtime"], "sets": rows, "drops": drops,
                      "device_times": log.attribute("device_times")})
        # CUPTI also counts the records of the calls: two for a set, one for a host function.
        most = 2 * STREAMS * SETS + STREAMS + 100
        trial.expect(f"every set is in the log or counted as dropped ({rows} and {dict(drops)} of {STREAMS * SETS})",
                     rows <= STREAMS * SETS <= rows + sum(drops.values()) <= most)
    if not any(tries["drops"] for tries in tried) and not trial.wrong:
        raise Lacked(f"a backlog that uses up the buffers: nothing was dropped ({tried})")


def look_at_buffers(trial):
    exhaust_buffers(trial, [(runtime, {}) for runtime in trial.runtimes()])


def preloading(library):
    """The recorder takes the copy of CUPTI that the process has loaded."""
    return {"LD_PRELOAD": ":".join(filter(None, [library, os.environ.get("LD_PRELOAD")]))}


def look_at_old_buffers(trial):
    choices = [(runtime, {}) for runtime in trial.runtimes() if runtime["cupti"] in OLD_CUPTI]
    copies = trial.machine["cupti_copies"]
    if not choices:
        choices = [(trial.runtimes()[0], preloading(copy["library"]))
                   for copy in copies if copy["version"] in OLD_CUPTI]
    if not choices:
        here = [runtime["cupti"] for runtime in trial.runtimes()] + [copy["version"] for copy in copies]
        raise Lacked(f"CUPTI of CUDA 12.4 to 12.8 (here: {here})")
    exhaust_buffers(trial, choices)
    versions = [tries["cupti"] for tries in trial.evidence["tried"]]
    if not set(versions) <= set(OLD_CUPTI):
        raise Lacked(f"a way to use the CUPTI of CUDA 12.4 to 12.8 (used: {versions})")


def look_at_graph(trial):
    launches = 10
    _, run = trial.run_both(trial.cuda_calls("graph", launches))
    trial.expect_silence(run)
    log = trial.only_log(run)
    if log:
        rows = [row["activity"] for row in log.rows["device_activity"]]
        trial.note(cupti=log.cupti_version(), activities={name: rows.count(name) for name in set(rows)})
        trial.expect("the launches of the graph are in the log", len(rows) >= launches)


def look_at_window(trial):
    _, run = trial.run_both(trial.cuda_calls("busy", 2 * WINDOW_S), variables={"TAUPROF_DURATION": str(WINDOW_S)})
    log = trial.only_log(run)
    if log:
        work = log.work("memset")
        span = max((row["start"] for row in log.rows["call"]), default=0) - min(
            (row["start"] for row in log.rows["call"]), default=0)
        trial.note(cupti=log.cupti_version(), sets=len(work), calls_span_ms=span / MILLISECOND,
                   outside_window=log.attribute("device_records_outside_window"))
        trial.expect("the window has device work", bool(work))
        trial.expect(f"no call is from outside of the window ({span / MILLISECOND:.0f} ms)",
                     span < (WINDOW_S * 1000 + 200) * MILLISECOND)
        trial.expect(f"each set has its call ({log.without_call()} have none)", log.without_call() == 0)


def look_at_rush(trial):
    """The window closes between two launches, or inside one."""
    run = trial.runs.run(trial.cuda_calls("rush", 2), variables={"TAUPROF_DURATION": "1"})
    trial.expect(f"the program ends with 0 (it ended with {run.status})", run.status == 0)
    log = trial.only_log(run)
    if log:
        trial.note(cupti=log.cupti_version(), sets=len(log.work("memset")), drops=log.drops())
        trial.expect("the window has device work", bool(log.work("memset")))
        trial.expect(f"each set has its call ({log.without_call()} have none)", log.without_call() == 0)


def look_at_exit(trial):
    _, run = trial.run_both(trial.cuda_calls("leave", 0.5))
    log = trial.only_log(run)
    if log:
        trial.note(cupti=log.cupti_version(), sets=len(log.work("memset")), drops=log.drops())
        trial.expect("the log has device work", bool(log.work("memset")))


def look_at_busy_end(trial):
    started = trial.runs.start(trial.cuda_calls("busy", 60))
    if not trial.expect("the program works", started.wait_for("works")):
        started.kill()
        started.finish()
        return
    started.let_run(3)
    at = started.kill()
    run = started.finish()
    log = trial.only_log(run)
    if log and trial.expect("the log has device work", bool(log.work("memset"))):
        lost = at - max(row["start"] + row["duration"] for row in log.work("memset"))
        bound = 200 if log.cupti_version() >= FLUSH_CAN_CRASH_BELOW else 600
        trial.note(cupti=log.cupti_version(), lost_ms=lost / MILLISECOND, drops=log.drops())
        trial.expect(f"at most {bound} ms before the kill are lost ({lost / MILLISECOND:.0f} ms)",
                     lost < bound * MILLISECOND)


def look_at_hang(trial):
    """CUPTI keeps back what lies in a buffer with work that hangs, until a flush is forced after 5 s."""
    started = trial.runs.start(trial.cuda_calls("hang"))
    trial.expect("the program hangs", started.wait_for("hangs"))
    started.let_run(8)
    started.kill()
    run = started.finish()
    trial.expect_silence(run)
    log = trial.only_log(run)
    if log:
        rows, drops = len(log.work("memset")), log.drops()
        trial.note(cupti=log.cupti_version(), sets=rows, drops=drops)
        if log.cupti_version() >= FLUSH_CAN_CRASH_BELOW:
            trial.expect(f"the 200 sets that ended are in the log ({rows})", rows == 200)
        trial.expect("the sets that hang have no times", rows <= 200)


CHECKS = (
    Check("buffers", "When CUPTI runs out of buffers, the program goes on, and what is lost is counted.",
          look_at_buffers),
    Check("buffers-12.4-12.8", "The same with the CUPTI of CUDA 12.4 to 12.8, where a refused buffer crashes.",
          look_at_old_buffers),
    Check("graph", "A graph with a copy and a set is recorded (it crashed with CUDA 12.4).", look_at_graph),
    Check("window", "A recording window closes while the device is busy (disabling CUPTI may hang before CUDA 13.0 "
          "Update 1).", look_at_window, 120, is_about_time=True),
    Check("window-rush", "A recording window closes while the host launches: what was launched in it has its call, and "
          "nothing else is in the log.", look_at_rush, 120, is_about_time=True),
    Check("exit", "A program that exits with work under way ends as without us (a forced flush may crash before "
          "CUDA 13.0 Update 1).", look_at_exit, 120),
    Check("killed-busy", "A killed job whose device is never idle loses the last 200 ms of device times (600 before "
          "CUDA 13.0 Update 1).", look_at_busy_end, 120, is_about_time=True),
    Check("killed-hanging", "A killed job that hangs keeps the device times of the work before.", look_at_hang, 120),
)
