"""The audit's sitecustomize in a Python without PyTorch: it must go unnoticed."""

import subprocess
import sys

import pytest

from audited_run import HOOK, clean_environment

FACTS = ("import sys; print(sys.path); print(sorted(n for n in sys.modules if not n.startswith('tauprof_audit'))); "
         "print([type(f).__module__ for f in sys.meta_path if 'tauprof' not in type(f).__module__])")
USERS = "print('theirs', __name__, __file__.endswith('sitecustomize.py'))\nimport colorsys\n"


def python(folder, code, *path, audit=True, **variables):
    """Runs Python with the audit in front of `path` if `audit`; returns its output."""
    path = [str(HOOK)] * audit + [str(entry) for entry in path]
    variables = {**variables, "TAUPROF_AUDIT_DIR": str(folder)}
    if path:
        variables["PYTHONPATH"] = ":".join(path)
    return subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False, cwd=folder,
                          env=clean_environment(variables))


def test_path_modules_and_finders_are_unchanged(tmp_path):
    bare, hooked = python(tmp_path, FACTS, audit=False), python(tmp_path, FACTS)
    assert hooked.stderr == bare.stderr == ""
    assert hooked.stdout == bare.stdout


@pytest.mark.parametrize("text", [USERS, "raise RuntimeError('theirs is broken')"])
def test_the_next_sitecustomize_runs_as_before(tmp_path, text):
    theirs = tmp_path / "theirs"
    theirs.mkdir()
    (theirs / "sitecustomize.py").write_text(text)
    ask = FACTS + "\nprint(getattr(sys.modules.get('sitecustomize'), '__file__', None))"
    bare, hooked = python(tmp_path, ask, theirs, audit=False), python(tmp_path, ask, theirs)
    assert (hooked.returncode, hooked.stdout, hooked.stderr) == (bare.returncode, bare.stdout, bare.stderr)
    assert hooked.returncode == 0


def test_a_deleted_folder_is_no_error(tmp_path):
    assert python(tmp_path, "import sys; print(sys.meta_path[0])", TAUPROF_AUDIT_DIR="/no/such").stderr == ""


def stand_in(folder, code):
    (folder / "torch").mkdir()
    (folder / "torch" / "__init__.py").write_text(code)


def test_the_finder_is_removed_once_torch_is_imported(tmp_path):
    stand_in(tmp_path, "import sys\nsys.tauprof_seen = [f for f in sys.meta_path if 'tauprof' in type(f).__module__]\n")
    done = python(tmp_path, "import sys, torch, inspect\n"
                            "left = [f for f in sys.meta_path if 'tauprof' in type(f).__module__]\n"
                            "print(len(sys.tauprof_seen), left)\n"
                            "print(type(torch.__loader__).__name__, type(torch.__spec__.loader).__name__)\n"
                            "print(inspect.getsource(torch)[:10])", tmp_path)
    assert done.stdout == "1 []\nSourceFileLoader SourceFileLoader\nimport sys\n"


def test_an_error_in_the_audit_prints_one_line(tmp_path):
    stand_in(tmp_path, "")
    done = python(tmp_path, "import torch; print('goes on')", tmp_path)
    assert (done.returncode, done.stdout) == (0, "goes on\n")
    [line] = done.stderr.splitlines()
    assert line.startswith("tauprof: no parameter audit: AttributeError: ")


def test_a_failing_import_of_torch_fails_as_before(tmp_path):
    stand_in(tmp_path, "raise RuntimeError('no driver')")
    done = python(tmp_path, "import torch", tmp_path)
    assert done.stderr.endswith("RuntimeError: no driver\n")
    assert python(tmp_path, "import torchless_name").stderr.endswith("No module named 'torchless_name'\n")


def test_nothing_is_audited_without_pytorch(tauprof_run):
    done = tauprof_run("--audit-params", "--", sys.executable, "-c", "print('done')")
    assert (done.returncode, done.stdout) == (0, "done\n")
    assert done.stderr == ("tauprof: no parameter audit: no Python imported PyTorch under it "
                           "(python -E, -I and -S keep it out)\n")
    assert tauprof_run("--audit-params", "--check", "--", sys.executable, "-c", "pass").returncode == 3
    assert tauprof_run("--audit-params", "--check", "--", "sh", "-c", "exit 9").returncode == 9


@pytest.mark.parametrize("options", [["--check"], ["--zero-grads"]])
def test_options_of_the_audit_require_the_audit(tauprof_run, options):
    assert tauprof_run(*options, "--", "true").returncode == 2


def test_the_shared_folder_is_removed(tauprof_run, tmp_path):
    done = tauprof_run("--audit-params", "--", "env", TMPDIR=str(tmp_path))
    [folder] = [line.split("=", 1)[1] for line in done.stdout.splitlines() if line.startswith("TAUPROF_AUDIT_DIR=")]
    assert folder.startswith(f"{tmp_path}/tauprof-audit-")
    assert not list(tmp_path.glob("tauprof-audit-*"))
