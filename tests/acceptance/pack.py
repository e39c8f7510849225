"""Packs the checks and tauprof itself into one file that a machine without network can run (unpack.sh is its head).

The command comes with all of its libraries and its own dynamic loader, so it runs whatever C library the machine has.
libtauprof.so lives in the machine's programs and takes theirs.
"""

from __future__ import annotations

import datetime
import io
import json
import os
import re
import subprocess
import tarfile

from pieces import NATIVE, ROOT, SECOND_PLUGIN

HERE = ROOT / "tests" / "acceptance"
SOURCES = ("tests/acceptance", "tests/pytorch/scenarios")
MORE_SOURCES = ("tests/pytorch/scenario_table.py", "tests/pytorch/known_model_list.py",
                "tests/capture/recorded_log.py", "tests/samples/saxpy.cu", "LICENSE")
START_COMMAND = """#!/bin/sh
here=$(dirname "$(readlink -f "$0")")
exec "$here/lib/{loader}" --library-path "$here/lib" "$here/lib/tauprof" "$@"
"""


def libraries_of(program):
    """The files that the dynamic loader takes for it, and the loader itself."""
    environment = {name: value for name, value in os.environ.items() if name != "LD_PRELOAD"}
    listed = subprocess.run(["ldd", str(program)], stdout=subprocess.PIPE, universal_newlines=True, check=True,
                            env=environment).stdout
    if "not found" in listed:
        raise OSError(f"{program} lacks libraries here: {listed}")
    return sorted(set(re.findall(r"(?:=> )?(/\S+) \(0x", listed)))


def git(*arguments):
    done = subprocess.run(["git", "-C", str(ROOT), *arguments], stdout=subprocess.PIPE, stderr=subprocess.DEVNULL,
                          universal_newlines=True, check=False)
    return done.stdout.strip() if done.returncode == 0 else None


def add_text(archive, name, text, mode=0o644):
    member = tarfile.TarInfo(name)
    member.size, member.mode = len(text.encode()), mode
    archive.addfile(member, io.BytesIO(text.encode()))


def add_sources(archive):
    files = [file for folder in SOURCES for file in sorted((ROOT / folder).rglob("*.py"))]
    for file in files + [ROOT / name for name in MORE_SOURCES]:
        if not file.name.startswith(("test_", "conftest")):
            archive.add(file, str(file.relative_to(ROOT)))


def add_product(archive, pieces):
    libraries = libraries_of(pieces.tauprof)
    [loader] = [os.path.basename(path) for path in libraries if os.path.basename(path).startswith("ld-")]
    for path in libraries:
        archive.add(os.path.realpath(path), f"product/lib/{os.path.basename(path)}")
    archive.add(pieces.tauprof, "product/lib/tauprof")
    add_text(archive, "product/tauprof", START_COMMAND.format(loader=loader), 0o755)
    archive.add(pieces.library, "product/libtauprof.so")
    if pieces.training.exists():
        archive.add(pieces.training, "product/training")
    if pieces.second_plugin.exists():
        archive.add(pieces.second_plugin, f"product/second/{SECOND_PLUGIN}")
    for path in (pieces.native / name for name in NATIVE):
        if path.exists():
            archive.add(path, f"product/native/{path.name}")
    made_of = {"commit": git("rev-parse", "HEAD"), "changed": bool(git("status", "--porcelain")),
               "packed": datetime.datetime.now(datetime.timezone.utc).isoformat(timespec="seconds")}
    add_text(archive, "product/made_of.json", json.dumps(made_of))


def pack(pieces, path):
    packed = io.BytesIO()
    with tarfile.open(fileobj=packed, mode="w:gz", compresslevel=6) as archive:
        add_sources(archive)
        add_product(archive, pieces)
    path.write_bytes((HERE / "unpack.sh").read_bytes() + packed.getvalue())
    path.chmod(0o755)
