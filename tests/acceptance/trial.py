"""One check at work: what the machine must have for it, what it expects, and what it saw."""

from __future__ import annotations

from check import Lacked
from logs import Logs
from pieces import PROGRAMS
from runs import Runs

GLIBC_OF_NATIVE = (2, 34)  # what is built with a newer one needs it: threads and dlopen moved


class Trial:
    def __init__(self, check, settings, machine, pieces, folder):
        self.check, self.settings, self.machine, self.pieces = check, settings, machine, pieces
        self.python = settings["python"]
        self.runs = Runs(pieces, folder, machine["gpus"])
        self.folder = folder
        self.wrong, self.evidence = [], {}

    # ---- What it saw ----

    def expect(self, what, is_so):
        """`what`: a sentence that says how it should be."""
        if not is_so:
            self.wrong.append(what)
        return is_so

    def note(self, **facts):
        self.evidence.update(facts)

    def logs(self, run):
        return Logs(self.pieces, run)

    # ---- What the machine must have ----

    def need_gpus(self, count):
        if self.machine["gpus"] < count:
            raise Lacked(f"{count} GPU{'s' if count > 1 else ''} (there {'is' if self.machine['gpus'] == 1 else 'are'} "
                         f"{self.machine['gpus']})")

    def need_torch(self):
        self.need_gpus(1)
        torch = self.machine["torch"]
        if not torch.get("cuda_works"):
            raise Lacked(f"PyTorch that sees a GPU, in {self.python}: {torch.get('why', 'it sees none')}")
        return torch

    def need_tool(self, name):
        path = self.machine["tools"].get(name)
        if not path:
            raise Lacked(name)
        return path

    def native(self, name):
        """A compiled program or library of programs/."""
        path, glibc = self.pieces.native / name, self.machine["glibc"]
        if not path.exists():
            raise Lacked(f"{name}: it was not built")
        if tuple(map(int, glibc.split()[-1].split("."))) < GLIBC_OF_NATIVE:
            raise Lacked(f"a glibc for {name}: {'.'.join(map(str, GLIBC_OF_NATIVE))} (here is {glibc})")
        return path

    def runtimes(self):
        self.need_gpus(1)
        if not self.machine["runtimes"]:
            raise Lacked("a shared CUDA runtime (libcudart.so.12 or .13) that works here")
        return self.machine["runtimes"]

    def cuda_calls(self, *way, runtime=None):
        """The command of a program without PyTorch."""
        library = (runtime or self.runtimes()[0])["library"]
        return [self.python, PROGRAMS / "cuda_calls.py", "--runtime", library, *way]

    # ---- Runs ----

    def run_both(self, command, **how):
        """The bare run and the recorded one, which look the same from outside."""
        bare = self.runs.run(command, recorded=False, **how)
        recorded = self.runs.run(command, **how)
        self.expect_same_outside(bare, recorded)
        return bare, recorded

    def expect_same_outside(self, bare, recorded):
        self.expect(f"the bare run ends with 0 (it ended with {bare.status})", bare.status == 0)
        self.expect(f"the recorded run ends with {bare.status} (it ended with {recorded.status})",
                    recorded.status == bare.status)
        self.expect("the recorded run prints what the bare one does", recorded.printed() == bare.printed())

    def expect_silence(self, run):
        self.expect(f"the recorder says nothing: {run.lines_of_recorder()[:1]}", not run.lines_of_recorder())

    def only_log(self, run):
        """The log of a run of one process, or None, which is wrong."""
        log = self.logs(run).read_one()
        self.expect(f"the run leaves one log ({len(run.log_files())})", log is not None)
        return log
