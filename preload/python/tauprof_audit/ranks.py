"""Brings the ranks of a job together without a collective: each writes a file, and one rank of each host reads them.

The files of a job have a common key: the rendezvous address and the restart count that torchrun and similar launchers
set, or else the parent process. The first local rank waits for the others briefly, inside its first step: under DDP,
that step has just synchronized all ranks. If some are missing then, it looks again when the program ends. The other
ranks wait until the first has printed: DDP raises its errors in the next step, and the launcher then ends all ranks.
"""

import atexit
import json
import os
import sys
import time

from tauprof_audit import report_text, verdict

WAIT_S = 10.0


def _number(*names):
    for name in names:
        value = os.environ.get(name, "")
        if value.isdigit():
            return int(value)
    return None


def _wait(is_true):
    deadline = time.monotonic() + WAIT_S
    while not is_true():
        if time.monotonic() > deadline:
            return False
        time.sleep(0.01)
    return True


class OwnRank:
    """The rank of this process, the number of ranks, and how many of them are on its host."""

    def __init__(self, torch):
        distributed = getattr(torch, "distributed", None)
        if distributed is not None and distributed.is_available() and distributed.is_initialized():
            self.rank, self.world = distributed.get_rank(), distributed.get_world_size()
        else:
            self.rank = _number("RANK", "OMPI_COMM_WORLD_RANK", "PMI_RANK", "SLURM_PROCID") or 0
            self.world = _number("WORLD_SIZE", "OMPI_COMM_WORLD_SIZE", "PMI_SIZE", "SLURM_NTASKS") or 1
        local = _number("LOCAL_RANK", "OMPI_COMM_WORLD_LOCAL_RANK", "MPI_LOCALRANKID", "SLURM_LOCALID")
        of_local = _number("LOCAL_WORLD_SIZE", "OMPI_COMM_WORLD_LOCAL_SIZE", "MPI_LOCALNRANKS") or self.world
        self.is_first = (self.rank if local is None else local) == 0
        self.of_host = min(of_local, self.world)

    def job(self):
        port = os.environ.get("MASTER_PORT")
        meeting = "{}-{}".format(os.environ.get("MASTER_ADDR"), port) if port else "parent-{}".format(os.getppid())
        if self.world == 1:
            meeting = "process-{}".format(os.getpid())
        return "{}-{}".format(meeting, os.environ.get("TORCHELASTIC_RESTART_COUNT", "0")).replace("/", "_")


class Exchange:
    def __init__(self, torch, folder):
        self.folder, self.own = folder, OwnRank(torch)
        self.job = self.own.job()

    def hand_in(self, seen):
        seen.update(rank=self.own.rank, world=self.own.world)
        path = os.path.join(self.folder, "rank-{}-{}.json".format(self.job, self.own.rank))
        with open(path + ".part", "w", encoding="utf-8") as file:
            json.dump(seen, file)
        os.replace(path + ".part", path)
        if not self.own.is_first:
            _wait(lambda: not os.path.exists(path))
        elif not self._print_when_complete():
            atexit.register(self._print_at_exit, os.getpid())

    def _files(self):
        start = "rank-{}-".format(self.job)
        return [os.path.join(self.folder, name) for name in os.listdir(self.folder)
                if name.startswith(start) and name.endswith(".json")]

    def _print_when_complete(self):
        is_complete = _wait(lambda: len(self._files()) >= self.own.of_host)
        if is_complete:
            self._print()
        return is_complete

    def _print_at_exit(self, process):
        if process == os.getpid() and not self._print_when_complete():
            self._print()

    def _print(self):
        documents, paths = [], self._files()
        for path in paths:
            with open(path, encoding="utf-8") as file:
                documents.append(json.load(file))
        documents.sort(key=lambda seen: seen["rank"])
        judged = verdict.judge(documents)
        sys.stderr.flush()
        with open(2, "wb", closefd=False) as errors:  # in one piece, even if the program has redirected sys.stderr
            errors.write(report_text.text_of(judged).encode("utf-8", "replace"))
        result = os.path.join(self.folder, "result-{}-{}".format("safe" if judged.is_safe else "unsafe", os.getpid()))
        open(result, "w").close()
        for path in paths:  # releases the other ranks; a later job may use the same address
            os.remove(path)
