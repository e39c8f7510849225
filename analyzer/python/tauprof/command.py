"""The tauprof command of the installed package."""

import os
import subprocess
import sys


class TauprofError(Exception):
    """An input that tauprof cannot use, with its message."""


HOME = os.path.dirname(os.path.abspath(__file__))


def path():
    """The tauprof program: the one that called this package, else this package's, else the one on PATH."""
    if os.environ.get("TAUPROF_PROGRAM"):
        return os.environ["TAUPROF_PROGRAM"]
    packaged = os.path.join(HOME, "bin", "tauprof")
    return packaged if os.path.exists(packaged) else "tauprof"


def run(*words, **options):
    """The program's end, as subprocess.run gives it. Raises TauprofError where there is no program."""
    try:
        return subprocess.run([path(), *words], **options)
    except OSError as error:
        raise TauprofError("{}: {}; install tauprof's wheel, put its program on PATH, or name it in TAUPROF_PROGRAM".format(
            path(), error.strerror)) from None


def paths(path):
    """One path, or several of them, as texts."""
    return [os.fspath(one) for one in path] if isinstance(path, (list, tuple)) else [os.fspath(path)]


def recorder():
    """The path of libtauprof.so, for LD_PRELOAD. Raises FileNotFoundError where this package has none."""
    library = os.path.join(HOME, "lib", "libtauprof.so")
    if not os.path.exists(library):
        raise FileNotFoundError("{}: this package was not installed from a wheel".format(library))
    return library


def main():
    program = path()
    os.environ.setdefault("TAUPROF_PYTHON_PROGRAM", sys.executable)  # for what this package does for the program
    try:
        os.execvp(program, ["tauprof", *sys.argv[1:]])
    except OSError as error:
        sys.exit("tauprof: {}: {}".format(program, error.strerror))
