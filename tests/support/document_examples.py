"""Writes the outputs in documents anew: `scripts/examples` calls it.

    document_examples.py FOLDER DOCUMENT...

An example is a fenced block below a comment, which names a folder in FOLDER to run in, and the command if the block does
not show it itself:

    <!-- example in torchrec_sst2a: tauprof analyze logs --show ledger -->

A block that starts with a section's heading keeps those of the command's sections that it has. Where it has lines of
dots alone, it keeps the lines that it has, and dots stand for the others.
"""

import pathlib
import re
import subprocess
import sys
from collections import Counter

BLOCK = re.compile(r"^<!-- example in ([\w-]+)(?:: ([^\n]*))? -->\n```\n(.*?)^```$", re.MULTILINE | re.DOTALL)
HEADING = re.compile(r"^[A-Z][A-Z ]+[A-Z](?=$|   )", re.MULTILINE)


def printed_by(command, folder):
    done = subprocess.run(["bash", "-c", command], cwd=folder, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True)
    if not done.stdout:
        sys.exit(f"document_examples: {command} prints nothing in {folder}")
    return done.stdout.strip("\n") + "\n"


def sections_of(text):
    """Each heading's section, without empty lines at its end."""
    starts = [*HEADING.finditer(text)]
    ends = [start.start() for start in starts[1:]] + [len(text)]
    return {start[0]: text[start.start():end].rstrip("\n") + "\n" for start, end in zip(starts, ends)}


def is_dots(line):
    return line.strip() == "..."


def words_of(line):
    """The words that stay the same when numbers change: no numbers, no units."""
    return [word for word in line.split() if not re.search(r"\d", word) and (len(word) > 2 or word in "#*→")]


def shortened(text, old):
    """The lines of `text` that `old` has, told by their first word, or two where one does not tell; dots for the others."""
    before = [words_of(line) for line in old.splitlines() if words_of(line) and not is_dots(line)]
    [dots, *_] = filter(is_dots, old.splitlines())
    often = {word for word, number in Counter(words[0] for words in before).items() if number > 1 or len(word) == 1}

    def key(words):
        return words[:2] if words[:1] and words[0] in often else words[:1]
    kept = [key(words) for words in before]
    lines = []
    for line in text.splitlines():
        if key(words_of(line)) in kept:
            lines.append(line)
        elif lines[-1:] != [dots]:
            lines.append(dots)
    return "\n".join(lines) + "\n"


def renewed(old, command, folder):
    text = printed_by(command, folder)
    if HEADING.match(old):
        sections = sections_of(text)
        text = "\n".join(sections[heading] for heading in sections_of(old))
        parts = zip(sections_of(text).values(), sections_of(old).values())
    else:
        parts = [(text, old)]
    return "\n".join(shortened(new, before) if any(map(is_dots, before.splitlines())) else new for new, before in parts)


def new_block(match, folder):
    name, command, old = match.groups()
    if command:
        new = renewed(old, command, folder / name)
    else:
        pieces = re.findall(r"^\$ (.*)\n((?:(?!\$ ).*\n)*)", old, re.MULTILINE)
        new = "".join(f"$ {typed}\n{renewed(before, typed, folder / name)}" for typed, before in pieces)
    return match[0].replace(old, new)


def main(folder, documents):
    for document in map(pathlib.Path, documents):
        text = document.read_text(encoding="utf-8")
        if not BLOCK.search(text):
            sys.exit(f"document_examples: no example is left in {document}")
        new = BLOCK.sub(lambda match: new_block(match, pathlib.Path(folder)), text)
        document.write_text(new, encoding="utf-8")
        print(f"examples: {len(BLOCK.findall(text))} in {document}")


if __name__ == "__main__":
    main(sys.argv[1], sys.argv[2:])
