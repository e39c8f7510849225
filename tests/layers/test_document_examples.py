"""How scripts/examples renews the outputs in documents (tests/support/document_examples.py)."""

import pathlib
import subprocess
import sys

SCRIPT = pathlib.Path(__file__).resolve().parent.parent / "support" / "document_examples.py"


def renewed(tmp_path, printed, comment, block):
    (tmp_path / "job").mkdir()
    (tmp_path / "job" / "printed").write_text(printed)
    document = tmp_path / "document.md"
    document.write_text(f"before\n\n<!-- example in job{comment} -->\n```\n{block}```\n\nafter\n")
    subprocess.run([sys.executable, SCRIPT, tmp_path, document], check=True, capture_output=True)
    text = document.read_text()
    assert text.startswith(f"before\n\n<!-- example in job{comment} -->\n```\n") and text.endswith("```\n\nafter\n")
    return text.split("```\n")[1]


def test_a_block_becomes_what_the_command_prints(tmp_path):
    assert renewed(tmp_path, "\nnew 2\n", ": cat printed", "old 1\n") == "new 2\n"


def test_commands_in_the_block_are_typed_again(tmp_path):
    assert renewed(tmp_path, "new\n", "", "$ cat printed\nold\n$ echo second\n") == "$ cat printed\nnew\n$ echo second\nsecond\n"


def test_a_block_keeps_its_sections(tmp_path):
    printed = "HEAD\n  a\n\nSTEPS\n  b\n\nRANKS   (of all)\n  c\n"
    assert renewed(tmp_path, printed, ": cat printed", "STEPS\n  x\n\nRANKS\n  y\n") == "STEPS\n  b\n\nRANKS   (of all)\n  c\n"


def test_lines_that_were_left_out_stay_dots(tmp_path):
    printed = "step 4 ms\n  compute 3 ms\n  wait 1 ms\n  copy 2 us\n  * step 1\n  * row 2\n"
    assert renewed(tmp_path, printed, ": cat printed", "step 9 s\n  compute 1 ms\n  ...\n  * row 7\n") == \
        "step 4 ms\n  compute 3 ms\n  ...\n  * row 2\n"


def test_a_command_that_prints_nothing_leaves_the_document(tmp_path):
    (tmp_path / "job").mkdir()
    document = tmp_path / "document.md"
    document.write_text("<!-- example in job: false -->\n```\nold\n```\n")
    done = subprocess.run([sys.executable, SCRIPT, tmp_path, document], capture_output=True, text=True)
    assert done.returncode == 1 and "prints nothing" in done.stderr and "old" in document.read_text()
