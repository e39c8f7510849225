"""The shell commands that the documents have a reader type.

They stand in blocks of the language `sh`; in other blocks behind `$ `; in the comment above an example, which
scripts/examples runs; and, as code within a sentence, where they begin with one of our programs.
"""

import dataclasses
import pathlib
import re
import shlex

ROOT = pathlib.Path(__file__).resolve().parents[2]
BLOCK = re.compile(r"^(?:<!-- example in ([\w-]+)(?:: ([^\n]*))? -->\n)?( *)```(\w*)\n(.*?)^ *```$",
                   re.DOTALL | re.MULTILINE)
IN_A_SENTENCE = re.compile(r"`((?:tauprof|scripts/[\w-]+) [^`\n]+)`")
# A program's name at the start of a line: commands, which the block should say.
LOOKS_TYPED = re.compile(
    r" *(?:tauprof|scripts/[\w-]+|python3?|pip|cmake|ctest|nsys|srun|mpirun|torchrun|source|export) ")


@dataclasses.dataclass(frozen=True)
class Command:
    document: str
    line: int
    text: str
    example: str = ""  # the folder of scripts/examples that it is run in

    def __str__(self):
        return f"{self.document}:{self.line}: {self.text}"


def documents():
    return sorted(str(path.relative_to(ROOT)) for path in [*ROOT.glob("*.md"), *(ROOT / "docs").rglob("*.md")])


def is_whole(text):
    try:
        shlex.split(text, comments=True)
    except ValueError:  # an open quote
        return False
    return not text.endswith("\\")


def typed_in(lines):
    """(number of its first line, command) of each command; some go over several lines."""
    open_lines = []
    for number, line in enumerate(lines):
        open_lines.append(line.strip() if not open_lines else line)
        text = "\n".join(open_lines)
        if is_whole(text):
            if shlex.split(text, comments=True):
                yield number - len(open_lines) + 1, text
            open_lines = []
    if open_lines:
        raise AssertionError(f"no end of {open_lines}")


def commands_in_block(document, first_line, match):
    example, command, _, language, body = match.groups()
    if command:
        yield Command(document, first_line - 1, command, example)
    elif language == "sh":
        for number, text in typed_in(body.splitlines()):
            yield Command(document, first_line + number, text)
    elif not language:
        for number, line in enumerate(body.splitlines()):
            if line.startswith("$ "):
                yield Command(document, first_line + number, line[2:], example or "")


def commands_of(document):
    text = (ROOT / document).read_text(encoding="utf-8")
    return [command for match in BLOCK.finditer(text)
            for command in commands_in_block(document, text.count("\n", 0, match.start(5)) + 1, match)]


def commands_in_sentences(document):
    text = (ROOT / document).read_text(encoding="utf-8")
    prose = BLOCK.sub(lambda match: "\n" * match[0].count("\n"), text)
    return [Command(document, prose.count("\n", 0, match.start()) + 1, match[1])
            for match in IN_A_SENTENCE.finditer(prose)]


def blocks_without_their_language(document):
    """The first lines of blocks that look typed, but are neither `sh` nor an example nor behind `$ `."""
    text = (ROOT / document).read_text(encoding="utf-8")
    return [line for example, _, _, language, body in BLOCK.findall(text) if not example and not language
            for line in body.splitlines()[:1] if LOOKS_TYPED.match(line)]
