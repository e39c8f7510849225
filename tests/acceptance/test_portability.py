"""The code in the bundle is Python 3.8, and imports nothing that a machine may lack; only programs import PyTorch."""

import ast
import sys
import tarfile

import pytest

OTHERS = {"torch", "torchvision", "triton", "accelerate", "numpy", "transformers", "peft", "lightning", "megatron"}


@pytest.fixture(scope="module")
def sources(bundle, tmp_path_factory):
    """{path: text} of all Python in the bundle."""
    archive = tmp_path_factory.mktemp("archive") / "archive.tar.gz"
    archive.write_bytes(bundle.read_bytes().partition(b"\n__ARCHIVE__\n")[2])
    with tarfile.open(archive) as packed:
        return {member.name: packed.extractfile(member).read().decode("utf-8")
                for member in packed if member.name.endswith(".py")}


def imported(tree):
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            yield from (alias.name.partition(".")[0] for alias in node.names)
        elif isinstance(node, ast.ImportFrom) and node.level == 0:
            yield node.module.partition(".")[0]


def test_the_language_is_python_3_8(sources):
    assert len(sources) > 30
    for name, text in sources.items():
        ast.parse(text, name, feature_version=(3, 8))


def test_only_programs_import_what_may_be_lacking(sources):
    own = {name.rpartition("/")[2][:-3] for name in sources} | {"checks"}
    for name, text in sources.items():
        foreign = set(imported(ast.parse(text))) - own - set(sys.stdlib_module_names)
        allowed = OTHERS if "/programs/" in name or "/scenarios/" in name else set()
        assert foreign <= allowed, name
