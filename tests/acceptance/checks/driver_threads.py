"""A driver's own threads, and the fate of a process whose `main` leaves by pthread_exit: bare, as a fact for the
simulator, and recorded."""

import json

from check import Check, Lacked
from checks.training import library_path
from pieces import PROGRAMS

ENDS, STAYS = "ends", "stays"
WATCHED_S = 6  # a bare process ends at once or never
PATIENCE_S = 15  # the recorder's threads may take so long to leave
SETS = 10

EVENT_HANDLER = "cuda-EvtHandlr"
# A mask of all signals but SIGKILL, SIGSTOP and the two that the C library keeps for itself.
ALL_SIGNALS = 0xfffffffe7ffbfeff


def run_to_the_end(trial, command, seconds, recorded):
    """The run, and whether it ends within so many seconds of its last thread; None: it did not get there."""
    started = trial.runs.start(command, recorded=recorded)
    fate = None
    if started.wait_for("the last thread ends"):
        started.let_run(seconds)
        fate = STAYS if started.is_running() else ENDS
    if started.is_running():
        started.kill()
    return started.finish(), fate


def compare_fates(trial, bare, recorded):
    """Each is a run and its fate."""
    (bare_run, bare_fate), (run, fate) = bare, recorded
    trial.note(result=bare_fate, recorded=fate)
    trial.expect(f"the recorded process does the same: it {bare_fate} (it {fate or 'fails'})", fate == bare_fate)
    trial.expect(f"its exit status is {bare_run.status} (it is {run.status})", run.status == bare_run.status)
    trial.expect("it prints the same", run.output == bare_run.output)


def look_at_main(trial):
    command = [trial.native("leaves_by_pthread_exit"), trial.runtimes()[0]["library"]]
    bare, fate = run_to_the_end(trial, command, WATCHED_S, recorded=False)
    if fate is None:
        raise Lacked(f"a device that the program can use: {(bare.errors or bare.output).strip()[-300:]}")
    recorded = run_to_the_end(trial, command, PATIENCE_S if fate == ENDS else 2 * WATCHED_S, recorded=True)
    compare_fates(trial, (bare, fate), recorded)
    log = trial.only_log(recorded[0])
    if log:
        trial.note(sets=len(log.work("memset")), drops=log.drops())
        trial.expect(f"each of {SETS} sets is in the log ({len(log.work('memset'))})", len(log.work("memset")) == SETS)


def judge_threads(trial, found):
    """`found`: what thread_names.py prints."""
    names = [thread["name"] for thread in found["context"]]
    trial.note(threads=found)
    trial.expect(f"a process is alone with its own thread before cuInit ({found['start']})", not found["start"])
    trial.expect(f"with a context it has a thread {EVENT_HANDLER} ({names})", EVENT_HANDLER in names)
    open_to_signals = [thread for thread in found["context"] if int(thread["blocked_signals"], 16) != ALL_SIGNALS]
    trial.expect(f"the driver's threads block all signals ({open_to_signals})", not open_to_signals)


def look_at_threads(trial):
    trial.need_gpus(1)
    run = trial.runs.run([trial.python, PROGRAMS / "thread_names.py"], recorded=False, variables=library_path(trial))
    if trial.expect(f"the program ends with 0 ({run.status})", run.status == 0):
        judge_threads(trial, json.loads(run.output))


CHECKS = (
    Check("driver-threads", "The driver's own threads are as the simulator has them.", look_at_threads, 120),
    Check("main-leaves", "A process whose `main` leaves by pthread_exit stays or ends, recorded as bare.", look_at_main,
          240),
)
