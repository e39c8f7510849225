"""libtauprof.so as a file: what it needs, what it exports, and the oldest glibc that it loads with."""

import os
import pathlib
import re
import subprocess

import pytest

LIBRARY = os.environ["TAUPROF_PRELOAD"]
HOOKS = pathlib.Path(__file__).resolve().parents[2] / "preload" / "hooks"
OLDEST_GLIBC = (2, 17)  # the version of CentOS 7; 2.28 is the newest that we may require


def objdump(option):
    return subprocess.run(["objdump", option, LIBRARY], capture_output=True, text=True, check=True).stdout


def exported_names():
    lines = subprocess.run(["nm", "-D", "--defined-only", LIBRARY], capture_output=True, text=True, check=True).stdout
    # Each version has a name of its own, of the type A.
    return {line.split()[-1].partition("@")[0] for line in lines.splitlines() if line.split()[-2] != "A"}


def hooked_names():
    """The names in the hook tables, as the compiler sees them."""
    source = '#define TAUPROF_HOOK(name, declared, ...) HOOK:name:\n#include "hooks/hook_tables.h"\n'
    expanded = subprocess.run(["c++", "-E", "-P", "-x", "c++", f"-I{HOOKS.parent}", "-"], input=source,
                              capture_output=True, text=True, check=True).stdout
    return re.findall(r"HOOK:(\w+):", expanded)


def test_the_library_needs_only_libc():
    needed = set(re.findall(r"NEEDED\s+(\S+)", objdump("-p")))
    # libpthread and libdl have been part of libc since 2.34.
    assert needed <= {"libc.so.6", "libpthread.so.0", "libdl.so.2", "ld-linux-x86-64.so.2", "ld-linux-aarch64.so.1"}


def test_the_library_loads_with_an_old_glibc():
    versions = {tuple(map(int, text.split("."))) for text in re.findall(r"\*UND\*.*GLIBC_([0-9.]+)", objdump("-T"))}
    assert max(v[:2] for v in versions) <= OLDEST_GLIBC


def test_the_library_exports_the_hooks_those_of_libc_and_the_injection_entries():
    plugin = {f"ncclProfiler_v{version}" for version in range(1, 8)}
    assert exported_names() == {*hooked_names(), *plugin, "InitializeInjection", "InitializeInjectionNvtx2",
                                "_exit", "_Exit", "dlopen", "dlclose", "getenv", "secure_getenv", "prctl", "syscall",
                                "execve", "execv", "execvp", "execvpe", "execl", "execlp", "execle", "fexecve"}


def symbols(*options):
    done = subprocess.run(["nm", "-C", *options, LIBRARY], capture_output=True, text=True, check=True)
    return "" if "no symbols" in done.stderr else done.stdout


def test_the_library_neither_allocates_by_cplusplus_nor_jumps():
    assert not re.search(r"operator new|longjmp", symbols("-D") + symbols())


def test_the_library_is_small():
    if symbols():
        pytest.skip("it is not stripped")
    assert os.path.getsize(LIBRARY) < 2_000_000


def test_no_function_has_two_rows():
    names = hooked_names()
    assert sorted(set(names)) == sorted(names)


def test_the_library_is_never_unloaded():
    assert "NODELETE" in subprocess.run(["readelf", "-d", LIBRARY], capture_output=True, text=True, check=True).stdout


def test_exported_names_have_no_version():
    """But dlopen, which only programs that ask for a version of glibc's are to find."""
    lines = [line for line in objdump("-T").splitlines() if " g " in line and "*ABS*" not in line]
    versioned = {line.split()[-1] for line in lines if "Base" not in line.split()}
    assert versioned == {"dlopen"}