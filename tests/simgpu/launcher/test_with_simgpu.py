"""scripts/with-simgpu: the environment and arguments of its command, the exit status, and its error messages."""

import os
import pathlib
import shutil
import signal
import subprocess

import pytest

LAUNCHER = pathlib.Path(__file__).resolve().parents[3] / "scripts" / "with-simgpu"


@pytest.fixture(scope="module")
def libraries():
    path = os.environ.get("SIMGPU_LIBRARY_DIR")
    if not path:
        pytest.skip("SIMGPU_LIBRARY_DIR does not name the simulated libraries")
    return path


def run(*command, launcher=LAUNCHER, directory=None, **environment):
    kept = {name: value for name, value in os.environ.items() if not name.startswith(("SIMGPU_", "LD_PRELOAD"))}
    return subprocess.run([launcher, *command], env={**kept, **environment}, cwd=directory, capture_output=True,
                          text=True, check=False)


def preloaded(printed):
    return printed.stdout.strip().split(":")


SHOW_PRELOAD = ("sh", "-c", "echo $LD_PRELOAD")


def test_all_libraries_are_preloaded(libraries):
    names = [pathlib.Path(path).name for path in preloaded(run(*SHOW_PRELOAD, SIMGPU_LIBRARY_DIR=libraries))]
    assert names[0] == "libsimgpu.so.1"
    wanted = {"libcuda.so.1", "libcudart.so.13", "libcudart.so.12", "libcublas.so.13", "libcublasLt.so.13",
              "libcudnn.so.9", "libnccl.so.2", "libcupti.so.13", "libnvidia-ml.so.1"}
    assert wanted <= set(names)
    assert names.index("libcudart.so.13") < names.index("libcudart.so.12")


def test_they_come_after_what_the_user_preloads(libraries):
    own = str(pathlib.Path(libraries) / "libsimgpu.so.1")
    paths = preloaded(run(*SHOW_PRELOAD, SIMGPU_LIBRARY_DIR=libraries, LD_PRELOAD=own))
    assert paths[0] == own and len(paths) > 2


def test_the_status_is_the_commands(libraries):
    assert run("sh", "-c", "exit 7", SIMGPU_LIBRARY_DIR=libraries).returncode == 7
    assert run("sh", "-c", "kill -TERM $$", SIMGPU_LIBRARY_DIR=libraries).returncode == -signal.SIGTERM


def test_the_command_takes_the_launchers_place(libraries):
    environment = {**os.environ, "SIMGPU_LIBRARY_DIR": libraries}
    with subprocess.Popen([LAUNCHER, "sh", "-c", "echo $$"], env=environment, stdout=subprocess.PIPE, text=True) as process:
        assert int(process.communicate()[0]) == process.pid


def test_options_are_variables(libraries, tmp_path):
    show = ("sh", "-c", "echo $SIMGPU_TRUTH; echo $SIMGPU_OPTIONS")
    printed = run("--truth", "here", "--options", "seed=2", "--", *show, directory=tmp_path,
                  SIMGPU_LIBRARY_DIR=libraries, SIMGPU_OPTIONS="devices=2")
    assert printed.stdout.split() == [str(tmp_path / "here"), "devices=2,seed=2"]
    assert (tmp_path / "here").is_dir()


@pytest.mark.parametrize("folder", ["lib", "lib64", "lib/x86_64-linux-gnu"])
def test_an_installation_finds_its_own_libraries(libraries, tmp_path, folder):
    (tmp_path / "bin").mkdir()
    launcher = shutil.copy(LAUNCHER, tmp_path / "bin")
    shutil.copytree(libraries, tmp_path / folder / "tauprof" / "simgpu", symlinks=True)
    assert preloaded(run(*SHOW_PRELOAD, launcher=launcher))[0].startswith(str(tmp_path / folder))


def one_line(result, status):
    assert result.returncode == status and result.stderr.count("\n") == 1, result
    assert result.stderr.startswith("with-simgpu: ")
    return result.stderr


def test_what_is_wrong_is_said_in_one_line(libraries, tmp_path):
    assert "no command given" in one_line(run(), 2)
    assert "--truth needs a directory" in one_line(run("--truth"), 2)
    assert "unknown option --trith" in one_line(run("--trith", "x"), 2)
    assert "no-such-command: no such command" in one_line(run("no-such-command"), 127)
    assert f"no libsimgpu.so.1 in SIMGPU_LIBRARY_DIR={tmp_path}" in one_line(
        run("true", SIMGPU_LIBRARY_DIR=str(tmp_path)), 2)
    (tmp_path / "bin").mkdir()
    lonely = shutil.copy(LAUNCHER, tmp_path / "bin")
    assert "set SIMGPU_LIBRARY_DIR" in one_line(run("true", launcher=lonely), 2)
    spaced = tmp_path / "with space"
    shutil.copytree(libraries, spaced, symlinks=True)
    assert "holds a space or a colon" in one_line(run("true", SIMGPU_LIBRARY_DIR=str(spaced)), 2)
    (tmp_path / "file").write_text("")
    assert "truth" in run("--truth", tmp_path / "file" / "below", "true", SIMGPU_LIBRARY_DIR=libraries).stderr


def test_help_is_no_error():
    printed = run("--help")
    assert printed.returncode == 0 and printed.stdout.startswith("usage: with-simgpu")
