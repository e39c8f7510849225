"""The command line: exit statuses, one clear line per bad file, and outputs that cannot be written."""

import json
import os
import subprocess

import pytest

from kineto_trace import imported, loop, one_step, run


def one_line(result, status):
    """The only line on standard error of a command, which must have ended with `status`."""
    lines = result.stderr.strip().splitlines()
    assert (result.returncode, len(lines)) == (status, 1), result.stderr
    return lines[0]


@pytest.mark.parametrize("arguments", ["", "analyse", "analyze", "import kineto x", "import vtune x -o y",
                                       "analyze x --steps 5:2", "analyze x --ranks a", "analyze x --batch -1"])
def test_wrong_usage_exits_with_2(tauprof, arguments):
    assert run(tauprof, *arguments.split()).returncode == 2


@pytest.mark.parametrize("arguments", [["--help"], ["--version"], ["analyze", "--help"], ["import", "--help"]])
def test_help_and_version_succeed(tauprof, arguments):
    result = run(tauprof, *arguments)
    assert result.returncode == 0 and result.stdout and not result.stderr


@pytest.mark.parametrize("option", ["--ranks", "--steps", "--run"])
def test_an_empty_choice_is_an_error(tauprof, tmp_path, option):
    logs = imported(tauprof, tmp_path, [one_step()])
    assert run(tauprof, "analyze", logs, option, "").returncode != 0


@pytest.mark.parametrize("name, content", [("empty.json", ""), ("no.json", "{}"),
                                           ("events.json", '{"traceEvents": []}'), ("text.json", "hello"),
                                           ("broken.json.gz", "no gzip"), ("list.json", "[1, 2, 3]"),
                                           ("binary.json", "\x00\x01\x02")])
def test_a_useless_file_is_reported_in_one_line(tauprof, tmp_path, name, content):
    (tmp_path / name).write_text(content)
    assert name in one_line(run(tauprof, "import", "kineto", tmp_path / name, "-o", tmp_path / "logs"), 3)


def test_a_bad_file_does_not_affect_good_ones(tauprof, tmp_path):
    one_step().write(tmp_path / "good_0.json")
    (tmp_path / "bad.json").write_text("hello")
    result = run(tauprof, "import", "kineto", tmp_path, "-o", tmp_path / "logs")
    assert result.returncode == 0
    assert sum("bad.json" in line for line in result.stderr.splitlines()) == 1


@pytest.mark.parametrize("path", ["missing", ""])
def test_missing_sources_exit_with_3(tauprof, tmp_path, path):
    source = tmp_path / path
    one_line(run(tauprof, "import", "kineto", source, "-o", tmp_path / "logs"), 3)
    one_line(run(tauprof, "analyze", source), 3)


def test_missing_runs_steps_and_ranks_exit_with_3(tauprof, tmp_path):
    logs = imported(tauprof, tmp_path, [one_step()])
    assert "no run" in one_line(run(tauprof, "analyze", logs, "--run", "x" * 10_000), 3)
    one_line(run(tauprof, "analyze", logs, "--steps", "7:9"), 3)
    assert run(tauprof, "analyze", logs, "--ranks", "9").returncode == 3


def test_analyze_accepts_one_log_and_relative_paths_with_spaces(tauprof, tmp_path):
    folder = tmp_path / "a folder" / "ünï"
    logs = imported(tauprof, folder, [one_step()])
    log = next(logs.iterdir())
    assert run(tauprof, "analyze", log).returncode == 0
    result = run(tauprof, "analyze", os.path.join("logs", log.name), "--json", "the report.json", cwd=folder)
    assert result.returncode == 0 and "\nVERDICT " in result.stdout
    assert json.loads((folder / "the report.json").read_text())["schema"] == "tauprof.report/2"


@pytest.mark.parametrize("command", ["analyze {logs} --json {file}", "analyze {logs} --html {file}",
                                     "diff {logs} --against {logs} --json {file}", "health {logs} --json {file}",
                                     "whatif {logs} --without syncs --json {file}"])
@pytest.mark.parametrize("file", ["nowhere/r.json", ".", "taken/r.json"])
def test_a_report_that_cannot_be_written_is_said_before_the_analysis(tauprof, tmp_path, command, file):
    logs = imported(tauprof, tmp_path, [one_step()])
    (tmp_path / "taken").write_text("a file, no folder")
    words = command.format(logs=logs, file=tmp_path / file).split()
    result = run(tauprof, *words)
    line = one_line(result, 1)
    assert str(tmp_path / file) in line and "cannot be written" in line and result.stdout == ""


@pytest.mark.parametrize("options", [[], ["--json", "-"]])
def test_a_full_disk_at_standard_output_is_a_failure(tauprof, tmp_path, options):
    logs = imported(tauprof, tmp_path, [one_step()])
    with open("/dev/full", "w") as full:
        result = subprocess.run([tauprof, "analyze", logs, *options], stdout=full, stderr=subprocess.PIPE, text=True)
    assert result.returncode != 0
    assert len(result.stderr.strip().splitlines()) == 1


def test_a_reader_that_closes_the_pipe_early_causes_no_crash(tauprof, tmp_path):
    logs = imported(tauprof, tmp_path, [loop([f"ProfilerStep#{i}" for i in range(500)])])
    for command in (["analyze", logs], ["analyze", logs, "--json", "-"], ["dump", next(logs.iterdir())]):
        line = " ".join(f"'{part}'" for part in [tauprof, *command])
        result = run("bash", "-c", f"{line} | head -1; exit ${{PIPESTATUS[0]}}")
        assert result.returncode in (0, 1, 141) and "terminate" not in result.stderr, result.stderr


def test_an_output_that_is_not_a_directory_is_reported_in_one_line(tauprof, tmp_path):
    one_step().write(tmp_path / "trace.json")
    (tmp_path / "file").write_text("")
    one_line(run(tauprof, "import", "kineto", tmp_path / "trace.json", "-o", tmp_path / "file"), 3)
    one_line(run(tauprof, "import", "kineto", tmp_path / "trace.json", "-o", "/proc/logs"), 3)


def test_check_finds_damage(tauprof, tmp_path):
    logs = imported(tauprof, tmp_path, [one_step()])
    assert run(tauprof, "check", logs).returncode == 0
    log = next(logs.iterdir())
    data = bytearray(log.read_bytes())
    data[len(data) // 2] ^= 1
    log.write_bytes(data)
    assert run(tauprof, "check", logs).returncode == 4
    assert run(tauprof, "check", tmp_path / "missing").returncode == 3
