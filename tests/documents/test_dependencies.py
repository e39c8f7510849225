"""docs/dependencies.md names what scripts/setup installs, and the versions that it and scripts/wheel ask for."""

import re

from documented import ROOT

DOCUMENT = (ROOT / "docs" / "dependencies.md").read_text(encoding="utf-8")
SETUP = (ROOT / "scripts" / "setup").read_text(encoding="utf-8")
WITHOUT_A_ROW = {"cmake", "g++", "make", "ninja-build", "pkg-config", "python3"}  # named, but not as packages


def test_every_package_has_a_row():
    packages = re.search(r"^packages=\((.*?)^\)", SETUP, re.DOTALL | re.MULTILINE)[1].split()
    assert len(packages) > 20
    assert {package for package in packages if f"`{package}`" not in DOCUMENT} <= WITHOUT_A_ROW
    rows = set(re.findall(r"`((?:lib|python3-|zlib|nlohmann)[\w.+-]+)`", DOCUMENT))
    assert rows <= set(packages)


def test_pinned_versions_are_those_that_are_fetched():
    [simdjson] = re.findall(r"^# simdjson ([\d.]+),", SETUP, re.MULTILINE)
    [nccl] = re.findall(r"nvidia-nccl-cu13==([\d.]+)'", SETUP)
    [zig] = re.findall(r"ziglang==([\d.]+)\.\*", (ROOT / "scripts" / "wheel").read_text(encoding="utf-8"))
    for words in (f"simdjson | {simdjson}", f"NCCL {nccl}", f"Zig {zig}"):
        assert words in DOCUMENT


def test_the_source_of_simdjson_is_of_that_version():
    source = ROOT / "build" / "simdjson" / "simdjson.h"
    [version] = re.findall(r'^#define SIMDJSON_VERSION "([\d.]+)"', source.read_text(encoding="utf-8"), re.MULTILINE)
    assert f"simdjson | {version}" in DOCUMENT
