"""Wrong words on the command line, the manual page and the shells' completion: what a user sees before any work starts."""

import fcntl
import os
import pty
import re
import shutil
import struct
import subprocess
import termios

import pytest

COMMANDS = ("run", "analyze", "why", "diff", "health", "whatif", "demo", "export", "import", "dump", "check", "completion", "man")


@pytest.fixture
def say(tauprof, tmp_path):
    def of(*words):
        return subprocess.run([tauprof, *words], capture_output=True, text=True, cwd=tmp_path)

    return of


@pytest.mark.parametrize(("words", "said"), [
    (["analyse", "logs"], "unknown command 'analyse'; did you mean analyze?"),
    (["--hlep"], "unknown command '--hlep'; did you mean --help?"),
    (["frobnicate"], "unknown command 'frobnicate'; tauprof --help lists the commands"),
    ([], "a command is missing; tauprof --help lists the commands"),
    ([""], "unknown command ''; tauprof --help lists the commands"),
    (["analyze", "logs", "--jsno", "x"], "analyze: unknown option --jsno; did you mean --json?"),
    (["analyze", "logs", "--jsno=x"], "analyze: unknown option --jsno; did you mean --json?"),
    (["run", "--stcks", "slow", "--", "ls", "--color"], "run: unknown option --stcks; did you mean --stacks?"),
    (["run", "--stacks", "slwo", "--", "ls"], "run: --stacks: 'slwo' is not off, slow or all; did you mean slow?"),
    (["import", "kinto", "a", "-o", "b"], "import: FORMAT: 'kinto' is not kineto, nsys or ops-csv; did you mean kineto?"),
    (["analyze"], "analyze: DIR is required; tauprof analyze --help lists the options"),
])
def test_one_line_says_what_is_wrong_and_what_was_meant(say, words, said):
    done = say(*words)
    assert (done.returncode, done.stdout, done.stderr) == (2, "", f"tauprof: {said}\n")


@pytest.mark.parametrize("value", ["-1", "0", "inf", "nan", "", "12x", "1e999"])
def test_a_number_that_is_none_is_refused(say, value):
    done = say("analyze", "logs", f"--batch={value}")
    assert done.returncode == 2 and done.stderr.count("\n") == 1
    assert f"--batch: '{value}' is not a number above 0" in done.stderr


@pytest.mark.parametrize("words", [
    ["analyze", ""], ["analyze", "logs", "--json="], ["analyze", "logs", "--html", ""], ["analyze", "logs", "--run="],
    ["health", "logs", "--json="], ["diff", "", "--against", "logs"], ["export", "", "-f", "csv", "-o", "x"],
    ["export", "logs", "-f", "csv", "-o", ""], ["import", "kineto", "x", "-o", ""], ["demo", "-o", ""]])
def test_an_empty_value_is_refused(say, tmp_path, words):
    done = say(*words)
    assert (done.returncode, done.stdout) == (2, "") and "empty" in done.stderr and done.stderr.count("\n") == 1
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize(("option", "value"), [
    ("--ranks", "zz"), ("--ranks", ""), ("--capture", "api,foo"), ("--capture", ""), ("--step-marker", "bogus"),
    ("--step-marker", "nvtx:"), ("--capture-range", "cudaprofilerapi"), ("--steps", "-1"), ("--steps", "inf"),
    ("--steps", "1.5"), ("--duration", "nan"), ("--max-mb", "many"), ("--max-mb", "0"), ("--stacks", "none"),
    ("--on-full", "keep"), ("--dir", "")])
def test_run_refuses_a_bad_option_before_the_command_starts(say, tmp_path, option, value):
    done = say("run", f"{option}={value}", "--", "touch", "started")
    assert done.returncode == 2 and done.stderr.startswith("tauprof: run: ") and done.stderr.count("\n") == 1
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize("command", ("", *COMMANDS))
@pytest.mark.parametrize("columns", ["80", "60", "120"])
def test_help_keeps_the_width_and_names_values(tauprof, command, columns):
    done = subprocess.run([tauprof, *([command] if command else []), "--help"], capture_output=True, text=True,
                          env={"COLUMNS": columns})
    lines = done.stdout.splitlines()
    options = [line for line in lines if re.match(r" {2}-", line)]
    assert done.returncode == 0 and options
    # Examples and what else stands below the options are written for 80 columns.
    last = max(index for index, line in enumerate(lines) if line in options)
    prose = lines.index("", last) if "" in lines[last:] else len(lines)
    assert [line for line in lines[:prose] if len(line) > int(columns)] == []
    assert [line for line in lines if len(line) > max(80, int(columns))] == []
    assert re.search(r"\b(TEXT|FLOAT|UINT|VALUE)\b", done.stdout) is None


def test_values_are_shown_in_help(say):
    shown = say("run", "--help").stdout + say("analyze", "--help").stdout + say("export", "--help").stdout
    for option in ("--stacks off|slow|all", "--max-mb MB", "--every N/M", "--steps A:B", "--json FILE", "-o, --output PATH",
                   "--format perfetto|sqlite|csv|kineto|speedscope|parquet", "--batch X", "DIR..."):
        assert option in shown, option


def test_a_kind_that_is_none_is_told_all_kinds(say):
    done = say("dump", "--kind", "foo", "x.tauprof")
    assert done.returncode == 2
    assert done.stderr.startswith("tauprof: dump: --kind: no record kind 'foo'; the kinds are string, ")
    assert "device_activity" in done.stderr and done.stderr.count("\n") == 1


def test_the_manual_page_names_every_command_and_option(say):
    page = say("man").stdout
    for command in COMMANDS:
        assert re.search(rf"^\.SS {command}$", page, re.MULTILINE)
        for option in re.findall(r"--[a-z-]+", say(command, "--help").stdout):
            assert option.replace("-", r"\-") in page, f"{command} {option}"


@pytest.mark.parametrize("command", COMMANDS)
def test_the_help_of_each_command_has_an_example_that_the_manual_page_shows(say, command):
    [examples] = re.findall(r"^Examples?.*?:(.*)", say(command, "--help").stdout, re.MULTILINE | re.DOTALL)
    lines = [line.strip() for line in examples.splitlines() if f"tauprof {command}" in line]
    assert lines
    page = say("man").stdout.replace("\\-", "-").replace("\\&", "").replace("\\e", "\\")
    assert all(line in page for line in lines)


def test_the_manual_page_is_sound_roff(say):
    if shutil.which("groff") is None:
        pytest.skip("needs groff")
    done = subprocess.run(["groff", "-man", "-Tutf8", "-ww", "-z"], input=say("man").stdout, capture_output=True, text=True)
    assert (done.returncode, done.stderr) == (0, "")


@pytest.mark.parametrize("shell", ["bash", "zsh", "fish"])
def test_the_completion_is_sound(say, shell, tmp_path):
    if shutil.which(shell) is None:
        pytest.skip(f"needs {shell}")
    script = tmp_path / "script"
    script.write_text(say("completion", shell).stdout)
    done = subprocess.run([shell, "-n", script], capture_output=True, text=True)
    assert (done.returncode, done.stderr) == (0, "")


@pytest.mark.parametrize(("line", "replies"), [
    (["tauprof", "an"], ["analyze"]),
    (["tauprof", "run", "--stacks", ""], ["off", "slow", "all"]),
    (["tauprof", "run", "--stacks", "s"], ["slow"]),
    (["tauprof", "analyze", "--js"], ["--json"]),
    (["tauprof", "analyze", "logs"], []),  # files, by the shell
    (["tauprof", "completion", ""], ["bash", "zsh", "fish"]),
    (["tauprof", "import", "k"], ["kineto"]),
    (["tauprof", "import", "kineto", ""], []),
    (["tauprof", "import", "-o", ""], []),
    (["tauprof", "dump", "--kind", "col"], ["collective"]),
    (["tauprof", "analyze", "logs", "--show", "ph"], ["phases"]),
    (["tauprof", "analyze", "logs", "--show", "phases,ra"], ["phases,ranks"]),
    (["tauprof", "diff", "a", "--show", "ranks,comm,ph"], ["ranks,comm,phases"]),
    (["tauprof", "export", "--format=p"], ["--format=perfetto", "--format=parquet"]),
    (["tauprof", "export", "--format", "=", "p"], ["perfetto", "parquet"]),  # as bash parts it
    (["tauprof", "run", "--stacks", "="], ["off", "slow", "all"]),
    (["tauprof", "run", "--capture", "api,nccl-"], ["api,nccl-phases"]),
    (["tauprof", "whatif", "logs", "--fix", "ra"], ["rank:"]),
    (["tauprof", "whatif", "logs", "--without", "stalls,st"],
     ["stalls,stalls", "stalls,stage:", "stalls,step:", "stalls,steps:"]),
])
def test_bash_completes(say, line, replies, tmp_path):
    script = tmp_path / "script"
    script.write_text(say("completion", "bash").stdout)
    words = " ".join(f"'{word}'" for word in line)
    asked = f"source {script}; COMP_WORDS=({words}); COMP_CWORD={len(line) - 1}; _tauprof; echo \"${{COMPREPLY[*]}}\""
    done = subprocess.run(["bash", "-c", asked], capture_output=True, text=True, check=True)
    assert done.stdout.split() == replies and done.stderr == ""


@pytest.mark.parametrize(("shell", "words"), [
    ("zsh", ("_sequence compadd - api ", "_sequence compadd - rank\\: ", ":FORMAT:(kineto nsys ops-csv)",
             ":SRC:_files")),
    ("fish", ("(__fish_append , api ", "(__fish_append , rank: ", "-a 'kineto nsys ops-csv'")),
])
def test_other_shells_complete_lists_and_first_words(say, shell, words):
    script = say("completion", shell).stdout
    for word in words:
        assert word in script, word


def test_what_a_report_asks_is_documented(say):
    """The forms of --fix that reports print (docs/whatif.md), where a user looks for them."""
    wrong = say("whatif", "logs", "--fix", "nothing")
    assert wrong.returncode == 2 and wrong.stderr.startswith("tauprof: whatif: --fix: 'nothing' is none of rank:N, ")
    for text in (wrong.stderr, " ".join(say("whatif", "--help").stdout.split())):
        for word in ("rank:", "windows:", "host", "device", "else:ROW", "launches"):
            assert word in text, word


@pytest.mark.parametrize("words", [["dump", "missing.tauprof"], ["import", "kineto", "missing", "-o", "out"],
                                   ["reduce", "missing", "-o", "out"],
                                   ["reduce", "missing", "--only", "none", "-o", "out"],
                                   ["analyze", "missing"]])
def test_errors_have_one_style(say, words):
    done = say(*words)
    assert done.returncode != 0 and done.stderr.startswith("tauprof: ") and done.stderr.count("\n") == 1


@pytest.mark.parametrize("words", [["analyze", "logs", "--show", "nothing"], ["dump", "--kind", "nothing", "x.tauprof"],
                                   ["dump", f"{'folder/' * 9}a file that is not there at all.tauprof"]])
def test_errors_fit_a_terminal_and_stay_one_line_elsewhere(tauprof, words, tmp_path):
    ours, its = pty.openpty()
    fcntl.ioctl(its, termios.TIOCSWINSZ, struct.pack("HHHH", 24, 80, 0, 0))
    environment = {name: value for name, value in os.environ.items() if name != "COLUMNS"}
    subprocess.run([tauprof, *words], stderr=its, cwd=tmp_path, env=environment)
    os.close(its)
    shown = os.read(ours, 1 << 16).decode().replace("\r\n", "\n")
    os.close(ours)
    said = subprocess.run([tauprof, *words], capture_output=True, text=True, cwd=tmp_path).stderr
    assert said.count("\n") == 1 and len(said) > 80
    assert shown.count("\n") > 1 and max(map(len, shown.split("\n"))) <= 80
    assert "".join(shown.split()) == "".join(said.split())


@pytest.mark.parametrize("option", ["--json", "--html"])
def test_a_digest_and_a_report_do_not_share_standard_output(say, option):
    done = say("analyze", "logs", "--brief", option, "-")
    assert (done.returncode, done.stdout) == (2, "") and done.stderr.count("\n") == 1
    assert done.stderr.startswith(f"tauprof: --brief and {option} - both want standard output; ")


def test_reduce_says_that_traces_become_logs_first(say):
    shown = " ".join(say("reduce", "--help").stdout.split())
    assert "traces become logs first, by tauprof import" in shown and "PyTorch" not in shown


def test_parquet_says_that_it_needs_python(tauprof, tmp_path):
    (tmp_path / "logs").mkdir()
    done = subprocess.run([tauprof, "export", "logs", "-f", "parquet", "-o", "tables"], capture_output=True, text=True,
                          cwd=tmp_path, env={"PATH": "/usr/bin:/bin", "PYTHONPATH": ""})
    assert done.returncode == 1 and "Python package" in done.stderr and done.stderr.count("\n") == 1
    done = subprocess.run([tauprof, "export", "logs", "-f", "parquet", "-o", "tables"], capture_output=True, text=True,
                          cwd=tmp_path, env={"PATH": str(tmp_path)})
    assert done.returncode == 1 and "Python package" in done.stderr and done.stderr.count("\n") == 1
