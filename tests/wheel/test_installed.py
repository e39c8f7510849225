"""An environment with the wheel: every way in, and what a shell and man find there."""

import os
import subprocess

import pytest


@pytest.fixture
def python(installed, user_environment, tmp_path):
    def of(*words):
        return subprocess.run([installed / "bin" / "python", *words], capture_output=True, text=True, cwd=tmp_path,
                              env=user_environment, timeout=300)

    return of


def test_the_command_and_the_module_are_the_same(installed, python):
    command = subprocess.run([installed / "bin" / "tauprof", "--version"], capture_output=True, text=True, check=True)
    assert python("-m", "tauprof", "--version").stdout == command.stdout != ""


def test_the_module_records_a_program_on_simulated_gpus(installed, python, tmp_path):
    package = python("-c", "import os, tauprof; print(os.path.dirname(tauprof.__file__))").stdout.strip()
    training = os.path.join(package, "lib", "tauprof", "demo", "training")
    done = python("-m", "tauprof", "run", "--null-gpu", "-o", "logs", "--", training, "--small", "--steps", "5",
                  "--ranks", "2")
    assert done.returncode == 0, done.stderr
    assert len(list((tmp_path / "logs").iterdir())) >= 2
    read = python("-c", "import tauprof; report = tauprof.load('logs'); print(report.verdict.title)")
    assert read.returncode == 0 and read.stdout.strip(), read.stderr


def test_the_recorder_is_where_python_says(python):
    path = python("-c", "import tauprof; print(tauprof.recorder())").stdout.strip()
    assert os.path.basename(path) == "libtauprof.so" and os.path.exists(path)


@pytest.mark.parametrize(("file", "words"), [
    ("man/man1/tauprof.1", ["man"]),
    ("bash-completion/completions/tauprof", ["completion", "bash"]),
    ("zsh/site-functions/_tauprof", ["completion", "zsh"]),
    ("fish/vendor_completions.d/tauprof.fish", ["completion", "fish"]),
])
def test_man_and_shells_find_what_the_command_says(installed, python, file, words):
    assert (installed / "share" / file).read_text(encoding="utf-8") == python("-m", "tauprof", *words).stdout != ""
