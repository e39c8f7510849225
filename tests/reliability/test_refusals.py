"""Whatever the system refuses to the recorder, the program is the same, and what is not recorded is said.

`refuse` (programs/refuse) lets system calls of the recorder fail, and none of the program's."""

import errno
import itertools
import pathlib

import pytest

from faults import fault, hostile
from idle_runs import assert_looks_like, assert_losses_are_said, run_idle, run_many
from tiers import two_tiers

# Answers that the kernel may give, by system call; some for want of something, some by a policy.
ANSWERS = {
    "openat": [errno.EMFILE, errno.EACCES, errno.ENOENT, errno.EPERM, errno.ENOSYS, errno.ENFILE],
    "read": [errno.EIO, errno.EPERM, errno.EINTR],
    "mmap": [errno.ENOMEM, errno.EAGAIN],  # EAGAIN: mlockall, and a limit
    "clone": [errno.EAGAIN, errno.EPERM, errno.ENOSYS],
    "prctl": [errno.EPERM, errno.ENOSYS, errno.EINVAL],
    "madvise": [errno.EINVAL, errno.ENOMEM, errno.EPERM, errno.EFAULT],
}
OTHER_ANSWERS = {
    "write": [errno.EIO, errno.ENOSPC, errno.EPERM, errno.EINTR],
    "stat": [errno.EACCES, errno.ENOSYS, errno.ENOENT],
    "close": [errno.EIO, errno.ENOSYS, errno.EPERM],
    "munmap": [errno.ENOMEM],
    "mprotect": [errno.ENOMEM, errno.EACCES],
    "process_vm_readv": [errno.EPERM, errno.ENOSYS, errno.EFAULT],
    "getdents": [errno.EPERM, errno.ENOENT],
    "unshare": [errno.EPERM, errno.ENOSYS, errno.ENOMEM],
    "readlink": [errno.EACCES, errno.ENOENT],
    "access": [errno.EACCES],
    "mkdir": [errno.EACCES, errno.EROFS],
    "rename": [errno.EACCES, errno.ENOSPC],
    "unlink": [errno.EACCES, errno.EROFS],
    "ftruncate": [errno.EPERM, errno.ENOSYS, errno.EOPNOTSUPP],
    "fcntl": [errno.EMFILE, errno.EPERM],
    "clock": [errno.EPERM, errno.ENOSYS],
    "sched": [errno.EPERM, errno.ENOSYS],
    "limits": [errno.EPERM, errno.ENOSYS],
    "socket": [errno.EPERM, errno.EMFILE],
}
ALL_ANSWERS = {**ANSWERS, **OTHER_ANSWERS}
EVERY_NTH = range(1, 51)
PROGRAMS = [("paced", 15), ("leaps", "exception"), ("leaves_main", "late")]
# Where main has left, the recorder's threads leave some seconds after the program's.
LONGER_S = 15


@pytest.fixture(scope="module")
def refuse():
    """The tool; the tests are skipped where the system has no user notification."""
    if not pathlib.Path(hostile("refuse")[0]).exists():
        pytest.skip("programs/refuse is for x86-64")
    return hostile("refuse")[0]


class Refusals:
    """Runs the program once for each choice of refused calls, and looks at what became of it."""

    def __init__(self, refuse, recorder, tmp_path, **how):
        self.refuse, self.recorder, self.folder, self.how = refuse, recorder, tmp_path, how
        self.count = 0

    def command(self, calls, answer, when, program=PROGRAMS[0]):
        self.count += 1
        return [self.refuse, str(self.folder / f"report{self.count}"), calls, str(answer), when, *hostile(*program)]

    def bare_runs(self, programs):
        commands = [self.command("openat", errno.EPERM, "1-", program) for program in programs]
        runs = list(run_many(self.recorder, commands, preload=False, **self.how))
        if runs[0].status == 77:
            pytest.skip(runs[0].errors)
        return {tuple(command[5:]): run for command, run in zip(commands, runs)}

    def assert_harmless(self, choices, at_once=4, programs=PROGRAMS[:1]):
        """Each choice, in one of the programs. Returns how many calls were refused in all."""
        bare_runs = self.bare_runs(programs)
        commands = [self.command(*choice, program) for choice, program in zip(choices, itertools.cycle(programs))]
        refused = 0
        for command, run in zip(commands, run_many(self.recorder, commands, at_once, **self.how)):
            report = pathlib.Path(command[1]).read_text()
            try:
                assert_looks_like(bare_runs[tuple(command[5:])], run, LONGER_S)
                assert_losses_are_said(run)
            except AssertionError as error:
                raise AssertionError(f"{' '.join(command[2:])}: {error}\n{report}") from error
            refused += int(report.splitlines()[-1].split()[2])
        return refused


@pytest.fixture
def refusals(refuse, recorder, tmp_path):
    return Refusals(refuse, recorder, tmp_path)


@pytest.fixture
def simulated_refusals(refuse, recorder, tmp_path):
    return Refusals(refuse, recorder, tmp_path, simulation=True)


def random_choice(chance):
    calls = ",".join(chance.sample(sorted(ALL_ANSWERS), chance.randint(1, 4)))
    answer = chance.choice(ALL_ANSWERS[calls.split(",")[0]])
    when = chance.choice([f"{chance.randint(0, 10**6)}:{chance.choice([2, 10, 40, 90])}", f"{chance.randint(1, 60)}-",
                          f"{(first := chance.randint(1, 60))}-{first + chance.randint(1, 20)}"])
    return calls, answer, when


TITLE = "The system refuses what the recorder asks of it, once, for a while, at random or always"
LOSES = "what cannot be recorded without it"
SAYS = "what is missing, unless the log says it"


@fault(TITLE, loses=LOSES, says=SAYS)
@pytest.mark.parametrize("calls", ANSWERS)
def test_refusals_change_no_program(refusals, chance, calls):
    positions = [*range(1, 7), *chance.sample(range(7, 51), 4)]  # of some there are no more than six
    choices = [(calls, ANSWERS[calls][0], when) for nth in positions for when in (f"{nth}", f"{nth}-")]
    assert refusals.assert_harmless(choices) > 0


@fault(TITLE, loses=LOSES, says=SAYS)
@pytest.mark.parametrize("calls", two_tiers(ALL_ANSWERS, ANSWERS.__contains__))
def test_refusals_for_ever_change_no_program(refusals, calls):
    refusals.assert_harmless([(calls, answer, "1-") for answer in ALL_ANSWERS[calls]])


@fault(TITLE, loses=LOSES, says=SAYS)
def test_other_system_calls_may_be_refused(refusals):
    assert refusals.assert_harmless([(calls, answers[0], "1-") for calls, answers in OTHER_ANSWERS.items()]) > 0


@pytest.mark.full  # our threads leave after five seconds
@fault(TITLE, loses=LOSES, says=SAYS)
@pytest.mark.parametrize("calls,answer", [("write", errno.EINTR), ("clock", errno.ENOSYS)])
def test_what_is_refused_for_ever_keeps_no_process(refusals, calls, answer):
    refusals.assert_harmless([(calls, answer, when) for when in ("1-", "40-")], programs=PROGRAMS[-1:])


@fault(TITLE, loses=LOSES, says=SAYS)
def test_random_refusals_change_no_program(refusals, chance):
    refusals.assert_harmless([random_choice(chance) for _ in range(24)], at_once=8, programs=PROGRAMS)


@fault(TITLE, loses=LOSES, says=SAYS)
def test_random_refusals_change_no_program_with_devices(simulated_refusals, chance):
    simulated_refusals.assert_harmless([random_choice(chance) for _ in range(3)], at_once=2)


# The long tier. Not faults of the table: scripts/stress repeats the tests above instead.


@pytest.mark.full
@pytest.mark.parametrize("calls,answer", [(calls, answer) for calls in ANSWERS for answer in ANSWERS[calls]])
def test_every_refusal_changes_no_program(refusals, calls, answer):
    refusals.assert_harmless([(calls, answer, when) for nth in EVERY_NTH for when in (f"{nth}", f"{nth}-")])


@pytest.mark.full
def test_many_random_refusals_change_no_program(refusals, chance):
    refusals.assert_harmless([random_choice(chance) for _ in range(200)], programs=PROGRAMS)


@pytest.mark.full
def test_many_random_refusals_change_no_program_with_devices(simulated_refusals, chance):
    simulated_refusals.assert_harmless([random_choice(chance) for _ in range(60)], at_once=2)


def test_only_calls_of_the_recorder_are_refused(refuse, recorder, tmp_path):
    """A program whose own calls are of all these kinds does not fail, with the recorder or without it."""
    calls = ",".join(["openat", "read", "mmap", "clone", "stat", "getdents", "write", "readlink"])
    report = tmp_path / "report"
    command = [refuse, str(report), calls, str(errno.EPERM), "1-", "python3", "-c",
               "import os, threading; t = threading.Thread(target=os.listdir, args=('/proc/self',)); t.start(); "
               "t.join(); print(len(open('/proc/self/stat').read().split()) > 40)"]
    for preload in (False, True):
        run = run_idle(recorder, command, preload=preload)
        if run.status == 77:
            pytest.skip(run.errors)
        assert (run.status, run.output, run.errors) == (0, "True\n", "")
    assert report.read_text().splitlines()[-1].endswith("refused")


def test_a_library_that_the_recorder_calls_keeps_its_threads(simulated_refusals):
    """A thread of the recorder's has CUPTI start one, which would end the process if it could not."""
    assert simulated_refusals.assert_harmless([("clone", errno.EAGAIN, f"{nth}") for nth in range(1, 7)]) > 0
