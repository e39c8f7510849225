"""The benchmarks' data: generated once into a folder, and regenerated when its recipe changes."""

import hashlib
import pathlib
import shutil
import subprocess

from measuring import BenchError

# About 720 host calls and device spans per step, like a small model, because each step adds a cost.
MODEL = ("--layers", "64", "--layers-per-bucket", "4")


class DataSets:
    def __init__(self, folder, generate_kineto, tauprof_generate):
        self.folder = folder
        self.generate_kineto = generate_kineto
        self.tauprof_generate = tauprof_generate

    def traces(self, ranks, megabytes):
        """Kineto traces, one file per rank, each of `megabytes`."""
        name = f"kineto-{ranks}x{megabytes:g}MB"
        return self._made(name, self.generate_kineto, "-o", "--ranks", ranks, "--mb", megabytes)

    def logs(self, ranks, events_per_rank):
        """Our own logs, one per rank, each with `events_per_rank` host calls and device spans."""
        name = f"logs-{ranks}x{events_per_rank}"
        return self._made(name, self.tauprof_generate, "--out", "--ranks", ranks, "--events-per-rank", events_per_rank,
                          *MODEL)

    def job(self, name, options):
        """Our own logs of a job with a different shape."""
        return self._made(name, self.tauprof_generate, "--out", *options)

    def _made(self, name, program, output_option, *options):
        folder = self.folder / name
        words = [str(word) for word in options]
        recipe = " ".join([hashlib.sha256(pathlib.Path(program).read_bytes()).hexdigest(), *words])
        stamp = self.folder / f"{name}.recipe"  # written last, so that an interrupted set has none
        if folder.is_dir() and stamp.is_file() and stamp.read_text() == recipe:
            return folder
        stamp.unlink(missing_ok=True)
        shutil.rmtree(folder, ignore_errors=True)
        folder.mkdir(parents=True)
        made = subprocess.run([program, output_option, folder, *words], capture_output=True, text=True)
        if made.returncode != 0:
            raise BenchError(f"{program}: cannot make {folder}: {made.stderr.strip()}")
        stamp.write_text(recipe)
        return folder


def size_of(folder):
    return sum(path.stat().st_size for path in folder.iterdir())
