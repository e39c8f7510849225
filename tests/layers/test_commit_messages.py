"""The check of commit messages, .githooks/commit-msg, on messages as git hands them over."""

import pathlib
import subprocess

import pytest

HOOK = pathlib.Path(__file__).resolve().parent.parent.parent / ".githooks" / "commit-msg"
WHY = "\n\nA zero stamp is no time.\n"


def check(message, folder):
    file = folder / "COMMIT_EDITMSG"
    file.write_text(message, encoding="utf-8")
    return subprocess.run([HOOK, file], capture_output=True, text=True)


@pytest.mark.parametrize("message", [
    "Reject zero-stamped records" + WHY,
    "x" * 72 + WHY,
    "ü" * 72 + WHY,
    "\n\nReject zero-stamped records" + WHY,
    "Reject zero-stamped records\n# On branch main\n" + WHY,
    "Merge branch 'main' of somewhere",
    "fixup! Reject zero-stamped records",
    "Reject zero-stamped records" + WHY + "# ------------------------ >8 ------------------------\ndiff --git a/x b/x\n",
])
def test_good_messages_pass(message, tmp_path):
    done = check(message, tmp_path)
    assert (done.returncode, done.stderr) == (0, "")


@pytest.mark.parametrize("message, complaint", [
    ("x" * 73 + WHY, "73 characters, 72 at most"),
    ("Reject zero-stamped records.", "full stop"),
    ("Reject zero-stamped records", "no body"),
    ("Reject zero-stamped records\n\n  \n\n", "no body"),
    ("Reject zero-stamped records\n\n# a comment is no body\n", "no body"),
    ("Reject zero-stamped records\nA zero stamp is no time.\nNone at all.\n", "empty line"),
])
def test_bad_messages_are_refused_with_the_reason(message, complaint, tmp_path):
    done = check(message, tmp_path)
    assert done.returncode == 1
    assert complaint in done.stderr
