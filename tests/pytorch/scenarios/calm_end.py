"""Lets PyTorch's backward threads come to rest before Python ends.

Such a thread drops the graph of the last backward pass after that pass has returned, and needs Python's lock for it. If
Python is ending by then, the process aborts ("terminate called without an active exception", PyTorch issue 190489),
most easily on a busy machine and without any profiler.
"""

import atexit
import pathlib
import time

PAUSE_S = 0.002  # in which Python's lock is free
CALM_LOOKS = 3
MOST_LOOKS = 2500


def at_exit():
    """Waits at the end of this process; call it after importing torch."""
    atexit.register(_wait)


def _wait():
    calm = 0
    for _ in range(MOST_LOOKS):
        time.sleep(PAUSE_S)
        calm = calm + 1 if _backward_threads_sleep() else 0
        if calm == CALM_LOOKS:
            return


def _backward_threads_sleep():
    states = [_name_and_state(task) for task in pathlib.Path("/proc/self/task").iterdir()]
    return all(state == "S" for name, state in states if name.startswith("pt_autograd"))


def _name_and_state(task):
    try:
        before, _, after = (task / "stat").read_text().rpartition(")")
        return before.partition("(")[2], after.split()[0]
    except FileNotFoundError:  # it has ended
        return "", ""
