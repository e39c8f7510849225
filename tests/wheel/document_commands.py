"""The commands that a section of a document has the reader type: its fenced blocks, as one shell script.

    document_commands.py docs/install.md "From nothing to a page"
"""

import pathlib
import re
import sys


def commands_of(document, section):
    text = pathlib.Path(document).read_text(encoding="utf-8")
    found = re.search(rf"^#+ {re.escape(section)}$(.*?)(?=^#+ |\Z)", text, re.MULTILINE | re.DOTALL)
    if not found:
        sys.exit(f"{document}: no section '{section}'")
    blocks = re.findall(r"^```(?:sh)?\n(.*?)^```$", found[1], re.MULTILINE | re.DOTALL)
    if not blocks:
        sys.exit(f"{document}: '{section}' has no commands")
    return "".join(blocks)


if __name__ == "__main__":
    sys.stdout.write(commands_of(*sys.argv[1:]))
