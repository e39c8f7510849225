"""The tables in docs that scripts/report-keys writes: of keys, from the documents' JSON schemas, and of findings.

Each stands between `<!-- keys of SECTION -->` and `<!-- end of keys -->`. Objects of one section are written out where
they first occur in it; those of several sections (`shared`) have tables of their own. `report` is the list of sections.
Other documents are whole, `<!-- keys of the document NAME -->`, with their shared objects.
"""

import json
import os
import pathlib
import re

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent
DOCUMENTS = [ROOT / "docs" / name for name in ("diff.md", "metrics.md", "whatif.md")]
BLOCK = re.compile(r"<!-- keys of ([\w ]+) -->\n.*?<!-- end of keys -->", re.DOTALL)
WHOLE = "the document "
FINDINGS = re.compile(r"<!-- findings -->\n.*?<!-- end of findings -->", re.DOTALL)
TYPES = {"integer": "integer", "number": "number", "string": "text", "boolean": "boolean", "null": "`null`"}


def schema(document="report"):
    package = pathlib.Path(os.environ["TAUPROF_PYTHON_PACKAGE"]) / "tauprof"
    return json.loads((package / f"{document}.schema.json").read_text())


class KeyTables:
    def __init__(self, of_document):
        self.objects = of_document["$defs"]
        self.root = named(of_document)
        self.sections = self.objects[self.root]
        users = [self.objects_in(section) for section in self.sections["properties"].values()]
        self.shared = [name for name in self.objects if sum(name in used for used in users) > 1]

    def whole(self):
        return "\n" + self.table_of(self.root) + "\n" + self.block("shared")

    def block(self, name):
        if name == "report":
            return self.table("section", self.rows_of(self.sections))
        if name == "shared":
            return "\n".join(f"\n`{one}`: {self.table_of(one)}" for one in self.shared)
        return "\n" + self.table_of(object_in(self.sections["properties"][name]))

    def table_of(self, name):
        return f"{self.objects[name]['description']}.\n" + self.table("key", self.rows(name, "", set()))

    def table(self, head, rows):
        return "\n".join(["", *(f"| {' | '.join(row)} |" for row in ((head, "type", "meaning"), ["---"] * 3, *rows))])

    def rows_of(self, owner, path=""):
        for key, of in owner["properties"].items():
            kind = type_of(of) + ("" if key in owner["required"] else ", or absent")
            yield f"`{path}{key}`", kind, of["description"]

    def rows(self, name, path, written):
        """Of an object, and below each key of the objects that are written out there."""
        written.add(name)
        owner = self.objects[name]
        for row, (key, of) in zip(self.rows_of(owner, path), owner["properties"].items()):
            inner = object_in(of)
            if inner is None or inner in written or inner in self.shared:
                yield row
            else:
                yield *row[:2], f"{row[2]}. {self.objects[inner]['description']}"
                yield from self.rows(inner, f"{path}{key}{steps_to_object(of)}.", written)

    def objects_in(self, of):
        name = object_in(of)
        inner = self.objects[name]["properties"].values() if name else ()
        return {name}.union(*map(self.objects_in, inner)) - {None}


def named(schema_of_object):
    return schema_of_object["$ref"].split("/")[-1]


def inner_of(of):
    """The schema of the value in a list, in a map or in what may be null, and how the path goes on to it."""
    if "anyOf" in of:
        return of["anyOf"][0], ""
    if "items" in of:
        return of["items"], "[]"
    if "additionalProperties" in of:
        return of["additionalProperties"], ".*"
    return None, ""


def object_in(of):
    while of is not None and "$ref" not in of:
        of = inner_of(of)[0]
    return of and named(of)


def steps_to_object(of):
    steps = ""
    while "$ref" not in of:
        of, step = inner_of(of)
        steps += step
    return steps


def type_of(of):
    if "$ref" in of:
        return f"`{named(of)}`"
    if "anyOf" in of:
        return " or ".join(map(type_of, of["anyOf"]))
    if "items" in of:
        return f"list of {in_parentheses(of['items'])}"
    if "additionalProperties" in of:
        return f"map of {in_parentheses(of['additionalProperties'])}"
    if "examples" in of:
        return "one of " + ", ".join(f"`{name}`" for name in of["examples"])
    return TYPES[of["type"]] if "type" in of else "any"


def in_parentheses(of):
    return f"({type_of(of)})" if "anyOf" in of else type_of(of)


def findings():
    """Of each row of findings.def: its name, and when it is reported."""
    text = (ROOT / "analyzer" / "findings" / "findings.def").read_text(encoding="utf-8")
    for row in re.split(r"^FINDING\(", text, flags=re.MULTILINE)[1:]:
        arguments = re.findall(r'(?:"(?:[^"\\]|\\.)*"\s*)+', row)  # adjacent literals are one
        literals = ["".join(re.findall(r'"((?:[^"\\]|\\.)*)"', one)).replace('\\"', '"') for one in arguments]
        yield literals[0], literals[-1]


def document(path):
    """A document with its tables anew."""
    report = KeyTables(schema())

    def block(found):
        name = found[1]
        keys = KeyTables(schema(name[len(WHOLE):])).whole() if name.startswith(WHOLE) else report.block(name)
        return f"<!-- keys of {name} -->\n{keys}\n\n<!-- end of keys -->"

    rows = "\n".join(f"| `{name}` | {when} |" for name, when in findings())
    return FINDINGS.sub(lambda _: f"<!-- findings -->\n| id | reported when |\n| --- | --- |\n{rows}\n<!-- end of findings -->",
                        BLOCK.sub(block, path.read_text(encoding="utf-8")))
