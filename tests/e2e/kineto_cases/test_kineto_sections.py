"""The text report: the verdict alone, and sections on request."""

import json
import os
import pty

import pytest
from kineto_trace import Trace, imported, job, one_step, run

SECTIONS = ("verdict,recording,hang,findings,steps,ledger,phases,input,ranks,comm,efficiency,kernels,memory,api").split(",")


def straggling_job():
    """Four ranks with ten steps; rank 2's host is stalled for a third of each."""
    traces = [Trace(rank, 4) for rank in range(4)]
    for rank, trace in enumerate(traces):
        for number in range(10):
            now = number * 100_000
            trace.step(number, now, now + 100_000)
            late = 30_000 if rank == 2 else 0
            trace.operator("aten::mm", now, now + 1_000, [[64, 64], [64, 64]])
            trace.kernel(now + 100, now + 40_100)
            trace.operator("aten::add", now + 1_000 + late, now + 2_000 + late, [[64, 64], [64, 64]])
            trace.collective(now + 41_000 + late, now + 75_000, "allreduce", 1000, range(4), sequence=number,
                             launch=(now + 2_000 + late, now + 2_010 + late) if not late else None)
            trace.kernel(now + 75_100, now + 99_000)
    return traces


def analyzed(tauprof, logs, *options, **how):
    done = run(tauprof, "analyze", logs, *options, **how)
    assert done.returncode == 0, done.stderr
    return done.stdout


def test_the_verdict_stands_alone_in_25_lines(tauprof, tmp_path):
    logs = imported(tauprof, tmp_path, straggling_job())
    lines = analyzed(tauprof, logs).splitlines()
    end = lines.index("")
    assert len(lines) <= 25 and max(map(len, lines)) <= 100
    assert lines[0].startswith("4 of 4 ranks · ")
    starts = [line.split()[0] for line in lines[1:end] if line[0] != " "]
    assert starts == ["VERDICT", "STEP", "REPAIR", "CHECKS"]
    assert lines[end + 1].startswith("more: --show verdict,")
    assert "".join(part.strip() for part in lines[end + 1:]).endswith("all")


def test_what_a_repair_leaves_of_the_step_is_the_reports_own_number(tauprof, tmp_path):
    logs = imported(tauprof, tmp_path, straggling_job())
    report = json.loads(analyzed(tauprof, logs, "--json", "-"))
    best = report["findings"][0]
    assert best["saves_ns_per_step"] > 0
    [line] = [line for line in analyzed(tauprof, logs).splitlines() if line.startswith(" 1  ")]
    left = (report["steps"]["duration_ns"]["mean"] - best["saves_ns_per_step"]) / 1e6
    assert line.startswith(f" 1  {best['title']} ") and line.endswith(f" {left:#.3g} ms")


def test_sections_come_in_a_fixed_order_and_alone(tauprof, tmp_path):
    logs = imported(tauprof, tmp_path, straggling_job())
    text = analyzed(tauprof, logs, "--show", "kernels,phases")
    assert text.startswith("PHASES ") and "\nKERNELS\n" in text
    assert "VERDICT" not in text and "RANKS" not in text and "CALLS" not in text
    whole = analyzed(tauprof, logs, "--show", "all")
    assert text.split("\nKERNELS")[0] in whole
    titles = [whole.index(f"\n{title}") for title in ("VERDICT", "tauprof report", "FINDINGS", "STEPS", "WHERE", "PHASES",
                                                      "RANKS", "STRAGGLERS", "COLLECTIVES", "EFFICIENCY",
                                                      "KERNELS", "CALLS")]
    assert titles == sorted(titles)


def test_a_section_for_which_there_is_nothing_says_so(tauprof, tmp_path):
    logs = imported(tauprof, tmp_path, [one_step()])
    assert analyzed(tauprof, logs, "--show", "hang") == "hang: nothing in this run\n"
    assert "nothing in this run" not in analyzed(tauprof, logs, "--show", "all")


@pytest.mark.parametrize("names", ["kernel", "phases,", "", "phases,,ranks"])
def test_an_unknown_section_is_wrong_usage_with_the_list(tauprof, tmp_path, names):
    done = run(tauprof, "analyze", tmp_path, f"--show={names}")
    assert done.returncode == 2
    if names:
        assert all(name in done.stderr for name in (*SECTIONS, "all"))


def test_rows_without_time_are_left_out(tauprof, tmp_path):
    text = analyzed(tauprof, imported(tauprof, tmp_path, job(2)), "--show", "phases,ledger")
    assert "\n  total " in text and "0 ns         0 ns" not in text.replace("total", "")
    assert "unscale_clip" not in text


def test_shortened_names_of_kernels_still_differ(tauprof, tmp_path):
    trace = one_step()
    names = [f"void (anonymous namespace)::reduce_kernel<{'at::native::Very, ' * 8}{kind}, {'at::native::Long, ' * 8}{n}>"
             f"(float*, int)" for kind in ("float", "double", "c10::Half") for n in (1, 2)]
    for number, name in enumerate(names):
        trace.kernel(300 + 100 * number, 350 + 100 * number, name, launch=(30 + number, 31 + number))
    text = analyzed(tauprof, imported(tauprof, tmp_path, [trace]), "--show", "kernels")
    shown = [line for line in text.splitlines() if "reduce_kernel" in line]
    assert len(shown) == len(names) and max(map(len, shown)) <= 100
    assert len({line.split("compute")[1] for line in shown}) == len(names)


def on_terminal(command, environment):
    """The command's output on a terminal of its own, whose size nobody has set."""
    child, master = pty.fork()
    if child == 0:
        os.dup2(os.open(os.devnull, os.O_WRONLY), 2)
        os.execve(command[0], command, environment)
    printed = b""
    while True:
        try:
            piece = os.read(master, 65536)
        except OSError:
            break
        if not piece:
            break
        printed += piece
    os.waitpid(child, 0)
    return printed.decode()


@pytest.mark.parametrize("columns", [70, 160])
@pytest.mark.parametrize("no_color", ["", "1"])
def test_the_report_is_as_wide_as_the_terminal_and_coloured_only_there(tauprof, tmp_path, columns, no_color):
    logs = imported(tauprof, tmp_path, straggling_job())
    environment = {**os.environ, "COLUMNS": str(columns), "TERM": "xterm", "NO_COLOR": no_color}
    text = on_terminal([tauprof, "analyze", str(logs)], environment)
    assert ("\x1b[1mVERDICT\x1b[0m" in text) == (not no_color)
    assert text.count("FAIL ") == (text.count("\x1b[31mFAIL ") if not no_color else text.count(" FAIL ")) > 0
    if no_color:
        widest = max(len(line.rstrip("\r")) for line in text.split("\n"))
        assert widest <= columns and (columns == 70 or widest > 100)
    assert "\x1b" not in analyzed(tauprof, logs, env=environment)
