"""libtauprof.so as a file: what it needs, what it shows, and from which glibc on it loads."""

import os
import pathlib
import re
import subprocess

LIBRARY = os.environ["TAUPROF_PRELOAD"]
HOOKS = pathlib.Path(__file__).resolve().parents[2] / "preload" / "hooks"
OLDEST_GLIBC = (2, 17)  # CentOS 7's; 2.28 is the most that is allowed


def objdump(option):
    return subprocess.run(["objdump", option, LIBRARY], capture_output=True, text=True, check=True).stdout


def exported_names():
    lines = subprocess.run(["nm", "-D", "--defined-only", LIBRARY], capture_output=True, text=True, check=True).stdout
    return {line.split()[-1] for line in lines.splitlines()}


def hooked_names():
    """The tables' names, as the compiler sees them."""
    source = '#define TAUPROF_HOOK(name, declared, ...) HOOK:name:\n#include "hooks/hook_tables.h"\n'
    expanded = subprocess.run(["c++", "-E", "-P", "-x", "c++", f"-I{HOOKS.parent}", "-"], input=source,
                              capture_output=True, text=True, check=True).stdout
    return re.findall(r"HOOK:(\w+):", expanded)


def test_it_needs_libc_and_nothing_else():
    needed = set(re.findall(r"NEEDED\s+(\S+)", objdump("-p")))
    # The last two have been parts of libc since 2.34.
    assert needed <= {"libc.so.6", "libpthread.so.0", "libdl.so.2", "ld-linux-x86-64.so.2", "ld-linux-aarch64.so.1"}


def test_it_loads_with_an_old_glibc():
    versions = {tuple(map(int, text.split("."))) for text in re.findall(r"GLIBC_([0-9.]+)", objdump("-T"))}
    assert max(v[:2] for v in versions) <= OLDEST_GLIBC


def test_it_exports_the_tables_and_the_entries_for_injection():
    assert exported_names() == {*hooked_names(), "InitializeInjection", "InitializeInjectionNvtx2"}


def test_no_name_stands_in_two_rows():
    names = hooked_names()
    assert sorted(set(names)) == sorted(names)


def test_it_is_never_unloaded():
    assert "NODELETE" in subprocess.run(["readelf", "-d", LIBRARY], capture_output=True, text=True, check=True).stdout


def test_names_carry_no_version():
    """A versioned definition would not stand in for names of other versions."""
    assert not re.search(r"^Version definitions:", objdump("-p"), re.MULTILINE)
