"""The JSON schemas of what the program writes: `python -m tauprof.schema` prints the report's, with a word another."""

import json
import pathlib
import sys

DOCUMENTS = ("report", "brief", "diff", "health", "whatif")


def text(document="report"):
    if document not in DOCUMENTS:
        raise ValueError("{!r} is none of {}".format(document, ", ".join(DOCUMENTS)))
    return pathlib.Path(__file__).with_name(document + ".schema.json").read_text(encoding="utf-8")


def schema(document="report"):
    """Of draft 2020-12. Objects may have more keys, as later documents of the same schema number do."""
    return json.loads(text(document))


if __name__ == "__main__":
    try:
        print(text(*sys.argv[1:2]), end="")
    except ValueError as error:
        sys.exit("tauprof.schema: {}".format(error))
