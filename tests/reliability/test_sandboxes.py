"""A program takes rights from itself, or runs where it has few: it goes on as without the recorder."""

import platform
import subprocess

import pytest

from faults import calls_of, fault, hostile, lines_of_recorder, rounds_of
from idle_runs import assert_looks_like, assert_losses_are_said, assert_nothing_is_lost, run_idle, run_idle_both
from recorded_run import program
from tiers import two_tiers

# Ways to make something impossible: to open files, to see /proc, to map memory.
WAYS = ["no_descriptors", "three_descriptors", "chroot", "pivot_root", "unmounted_proc", "hidden_proc", "landlock",
        "EPERM", "ENOSYS", "EACCES", "EMFILE", "locked_memory"]
IN_EVERY_RUN = {("no_descriptors", "after"), ("no_descriptors", "before"), ("chroot", "after"), ("chroot", "before"),
                ("hidden_proc", "before"), ("pivot_root", "before"), ("EPERM", "after"), ("landlock", "before"),
                ("locked_memory", "before")}
# System calls that a program may have no use for any more: reading clocks and memory, mapping, waiting, files, threads.
UNUSED_CALLS = {"clock_gettime": 228, "madvise": 28, "process_vm_readv": 310, "futex": 202, "mmap": 9, "munmap": 11,
                "mprotect": 10, "mremap": 25, "openat": 257, "read": 0, "close": 3, "fstat": 5, "newfstatat": 262,
                "getpid": 39, "gettid": 186, "tgkill": 234, "sched_yield": 24, "getcpu": 309, "rt_sigprocmask": 14,
                "membarrier": 324, "prctl": 157, "readlink": 89, "access": 21, "rseq": 334, "nanosleep": 230,
                "getrusage": 98, "brk": 12, "ptrace": 101}


def is_root_or_skip():
    if subprocess.run(["unshare", "-m", "true"], capture_output=True, check=False).returncode != 0:
        pytest.skip("may not make a mount namespace")


def run_sandboxed(recorder, command, **how):
    bare, run = run_idle_both(recorder, command, **how)
    if bare.output.startswith("not possible"):
        pytest.skip(bare.output)
    assert bare.status == 7
    return run


@fault("The program can open no files, see no /proc or map no memory any more", loses="what cannot be recorded without it",
       says="what is missing, unless the log says it")
@pytest.mark.parametrize("way,moment", two_tiers([(way, moment) for way in WAYS for moment in ("before", "after")],
                                                 IN_EVERY_RUN.__contains__))
def test_a_sandbox_ends_no_program(recorder, tmp_path, way, moment):
    (tmp_path / "jail").mkdir()
    # So small that the buffers fit into the memory that may be locked, and a thread's stack does not.
    variables = {"TAUPROF_BUFFER_MB": "1"} if way == "locked_memory" else {}
    run = run_sandboxed(recorder, hostile("sandboxed", way, moment, tmp_path / "jail"), variables=variables)
    assert_losses_are_said(run)


@fault("The program runs out of descriptors where the recorder has no table of its own (Linux before 5.9)",
       loses="nothing")
@pytest.mark.parametrize("way", two_tiers(["EMFILE", "no_descriptors"], ["EMFILE"].__contains__))
def test_no_descriptor_is_left_on_an_old_kernel(recorder, way):
    run = run_sandboxed(recorder, hostile("old_kernel") + hostile("sandboxed", way, "after"))
    assert_losses_are_said(run)


@fault("The machine can open no file for 0.3 s", loses="everything, if that is when the log is made; else nothing",
       says="cannot create a log …: Too many open files in system, or nothing")
@pytest.mark.parametrize("after_s", [0, 0.3, 0.5])
@pytest.mark.parametrize("command", [("paced", 100), ("leaves_main", "late")])
def test_a_full_table_of_files_ends_no_program(recorder, command, after_s):
    # Between the recorder and the C library, as what the kernel answers.
    full = hostile("libno_more_files.so")[0]
    bare, run = [run_idle(recorder, hostile(*command), preload=False,
                          variables={"LD_PRELOAD": ":".join([*before, full]), "NO_FILES_AFTER_S": str(after_s)})
                 for before in ([], [program("TAUPROF_PRELOAD")])]
    assert_looks_like(bare, run, longer_s=15)
    assert_losses_are_said(run)


FILTERS = [*((name, "") for name in ("all", *UNUSED_CALLS)), ("all", "unreadable"), ("all", "asks"), ("ptrace", "vfork")]
FILTERS_IN_EVERY_RUN = {("all", ""), ("clock_gettime", ""), ("madvise", ""), ("process_vm_readv", ""), ("futex", ""),
                        *FILTERS[-3:]}


@fault("A filter kills the program's thread for system calls that the program never makes", loses="nothing")
@pytest.mark.parametrize("name,way", two_tiers(FILTERS, FILTERS_IN_EVERY_RUN.__contains__))
def test_hooks_make_no_system_call_of_their_own(recorder, name, way):
    if platform.machine() != "x86_64" and name != "all":
        pytest.skip("the numbers are those of x86-64")
    bare, run = run_idle_both(recorder, hostile("filtered", UNUSED_CALLS.get(name, name), way))
    if bare.status != 7:
        pytest.skip("the program itself needs the system call, to read a clock")
    assert_losses_are_said(run, 160_200)


@fault("The program gives up the processor's clock (strict mode, PR_TSC_SIGSEGV)",
       loses="what comes after; the log says why it ends")
@pytest.mark.parametrize("way", ["strict", "strict_by_seccomp", "no_clock", "no_clock_by_syscall"])
def test_a_program_without_a_clock_goes_on(recorder, way):
    bare, run = run_idle_both(recorder, hostile("loses_clock", way))
    if bare.output.startswith("not possible"):
        pytest.skip(bare.output)
    assert bare.status == 7
    log = run.only_log()
    assert calls_of(log, "cudaMemsetAsync") == 250
    assert log.rows["end"][0]["reason"] == "the program has given up the processor's clock"


@fault("The kernel refuses a filter that kills, or strict mode", loses="nothing")
def test_a_refused_filter_changes_nothing(recorder):
    bare, run = run_idle_both(recorder, hostile("loses_clock", "refused"))
    assert bare.status == 7
    log = run.only_log()
    assert calls_of(log, "cudaMemsetAsync") == rounds_of(run)
    # Nobody's system calls are left out.
    assert len(log.rows["thread"]) == 3 and all(row["os_id"] and row["name"] for row in log.rows["thread"])


@fault("A process that is number 1 in its PID namespace has a child that is number 1, too", loses="nothing")
@pytest.mark.parametrize("way", ["fork", "shared"])
def test_a_child_with_the_same_number_is_another_process(recorder, way):
    is_root_or_skip()
    _, run = run_idle_both(recorder, ["unshare", "-pf", "--kill-child", *hostile("children", way)])
    assert run.output.splitlines()[0] == "number 1, child's status 4"  # not "the child ended late"
    assert_nothing_is_lost(run)


@fault("A program of root's acts as another user for a moment, who may not write the log", loses="nothing",
       says="that the log cannot be written for a while, or nothing")
@pytest.mark.parametrize("milliseconds", [150, 1500])
def test_another_effective_user_ends_no_recording(recorder, tmp_path, milliseconds):
    is_root_or_skip()
    tmp_path.chmod(0o700)
    _, run = run_idle_both(recorder, hostile("changes_user", milliseconds))
    log = run.only_log()
    assert calls_of(log, "cudaMemsetAsync") == 1130, lines_of_recorder(run)
    assert not any("was Permission" in line for line in lines_of_recorder(run))
