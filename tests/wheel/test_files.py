"""The files of the wheels and of the tarballs: for which systems they are, what they need, what they lack."""

import os
import re
import subprocess
import tarfile
import zipfile

import pytest
from conftest import built

FLOOR = (2, 28)  # the glibc that the wheel's name promises
OF_GLIBC = {"libc.so.6", "libm.so.6", "libdl.so.2", "libpthread.so.0", "librt.so.1", "ld-linux-x86-64.so.2",
            "ld-linux-aarch64.so.1"}
SIMULATED = re.compile(r"libsimgpu\.so\.1|lib(cuda|cudart|cublas|cublasLt|cudnn|nccl|cupti|nvidia-ml)\.so\.\d+")


@pytest.fixture(scope="module", params=["x86_64", "aarch64"])
def architecture(request):
    return request.param


@pytest.fixture(scope="module")
def wheel(architecture):
    return built(f"*_{architecture}.whl")


@pytest.fixture(scope="module")
def tarball(architecture):
    return built(f"*_{architecture}.tar.gz")


@pytest.fixture(scope="module")
def unpacked(wheel, tmp_path_factory):
    folder = tmp_path_factory.mktemp("unpacked")
    zipfile.ZipFile(wheel).extractall(folder)
    return folder


def binaries(folder):
    found = [path for path in folder.rglob("*") if path.is_file() and path.open("rb").read(4) == b"\x7fELF"]
    assert len(found) > 10
    return found


def said_by_readelf(option, path):
    return subprocess.run(["readelf", "-W", option, path], capture_output=True, text=True, check=True).stdout


def needed(path):
    return set(re.findall(r"\(NEEDED\).*\[(.*)\]", said_by_readelf("-d", path)))


def test_the_name_says_for_which_systems(wheel, unpacked, architecture):
    assert re.fullmatch(rf"tauprof-[0-9.]+-py3-none-manylinux_2_28_{architecture}\.whl", wheel.name)
    machines = {re.search(r"Machine: +(.*)", said_by_readelf("-h", path))[1] for path in binaries(unpacked)}
    assert machines == {{"x86_64": "Advanced Micro Devices X86-64", "aarch64": "AArch64"}[architecture]}
    names = zipfile.ZipFile(wheel).namelist()
    metadata = zipfile.ZipFile(wheel).read(next(name for name in names if name.endswith(".dist-info/METADATA"))).decode()
    assert "Requires-Python: >=3.8" in metadata
    assert not re.search(r"^Requires-Dist: (?!.*extra ==)", metadata, re.MULTILINE)


def test_the_command_and_the_recorder_need_glibc_alone(unpacked):
    for part in ("bin/tauprof", "lib/libtauprof.so"):
        assert needed(unpacked / "tauprof" / part) <= OF_GLIBC


def test_only_what_is_simulated_needs_names_of_cuda(unpacked):
    for path in binaries(unpacked):
        others = needed(path) - OF_GLIBC
        assert not others or "/lib/tauprof/" in str(path), path
        assert all(SIMULATED.fullmatch(name) for name in others), (path, others)


def needed_versions(path):
    return said_by_readelf("-V", path).partition("Version needs section")[2]


def test_no_file_asks_for_a_newer_glibc_than_the_name_says(unpacked):
    for path in binaries(unpacked):
        versions = [tuple(map(int, text.split("."))) for text in re.findall(r"\bGLIBC_([0-9.]+)", needed_versions(path))]
        assert max(version[:2] for version in versions) <= FLOOR, path


def test_no_file_names_a_folder_of_the_machine_that_built_it(unpacked):
    for path in binaries(unpacked):
        folders = re.findall(r"\((?:RPATH|RUNPATH)\).*\[(.*)\]", said_by_readelf("-d", path))
        assert all(folder == "$ORIGIN" for folder in folders), (path, folders)


def test_the_licenses_of_what_is_linked_in_come_along(unpacked):
    texts = {path.stem: path.read_text(encoding="utf-8") for path in (unpacked / "tauprof" / "licenses").iterdir()}
    assert {"libcxx", "libfmt", "libzstd", "libsqlite3", "libjs-chart.js"} <= set(texts)
    assert all("license" in text.lower() for text in texts.values())


def test_the_tarball_holds_the_same_files(tarball, unpacked, architecture, tmp_path):
    tarfile.open(tarball).extractall(tmp_path)
    (top,) = tmp_path.iterdir()
    assert f"{top.name}.tar.gz" == tarball.name
    assert (top / "LICENSE").is_file()
    for folder in ("bin", "lib", "licenses"):
        files = {path.relative_to(top): path.read_bytes() for path in (top / folder).rglob("*") if path.is_file()}
        of_wheel = {path.relative_to(unpacked / "tauprof"): path.read_bytes()
                    for path in (unpacked / "tauprof" / folder).rglob("*") if path.is_file()}
        assert files == of_wheel
    assert (top / "share" / "man" / "man1" / "tauprof.1").is_file()
    if architecture == os.uname().machine:
        done = subprocess.run([top / "bin" / "tauprof", "--version"], capture_output=True, text=True, check=True)
        assert top.name.startswith(f"tauprof-{done.stdout.split()[-1]}-")
