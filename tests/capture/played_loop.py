"""The loops of tests/e2e/kineto_cases, played on the CUDA runtime instead of written to a trace."""

import pathlib
import sys

sys.path.append(str(pathlib.Path(__file__).resolve().parent.parent / "e2e" / "kineto_cases"))

from training_program import MAIN, Program  # noqa: E402

# Pauses are this many times longer than in the traces, where steps take less than a millisecond.
SLOWER = 40


def word(kernel):
    """A kernel's name without blanks."""
    return kernel.replace(" ", "_")


class PlayedLoop(Program):
    """The script of a loop (programs/plays_loop.cpp); each step starts with one of its launches, counted from 0."""

    def __init__(self, optimizer="fused", has_autograd=True):
        super().__init__(optimizer, has_autograd, names_updates=False)
        self.lines = []
        self.launches = 0
        self.trace = None  # a loop that writes to a trace directly cannot be played

    def _launch(self, line, count):
        if self.starts_step:
            self.starts.append(self.launches)
            self.starts_step = False
        self.lines.append(line)
        self.launches += count

    def pause(self, us):
        self.lines.append(f"pause {us * SLOWER}")

    def kernel(self, *names, us=8, thread=MAIN):
        self._launch(f"kernel {self._thread(thread)} {' '.join(map(word, names))}", len(names))

    def graph(self, us=400, name="captured", thread=MAIN):
        self._launch(f"graph {self._thread(thread)} {name}", 1)

    def h2d(self, count=1, us=6):
        self._launch(f"h2d {count}", count)

    def d2h(self, count=1, us=2):
        self._launch(f"d2h {count}", count)

    def fill(self, count=1, us=2):
        self._launch(f"fill {count}", count)

    def sync(self, function="cudaStreamSynchronize"):
        self.lines.append(f"sync {function.removeprefix('cuda').removesuffix('Synchronize').lower()}")

    @staticmethod
    def _thread(thread):
        return "main" if thread == MAIN else "backward"

    def write(self, path):
        path.write_text("\n".join(self.lines) + "\n")
        return path
