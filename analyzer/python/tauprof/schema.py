"""The JSON schema of the report: `python -m tauprof.schema` prints it."""

import json
import pathlib

FILE = pathlib.Path(__file__).with_name("report.schema.json")


def schema():
    """Of draft 2020-12. Objects may have more keys, as later reports of the same schema number do."""
    return json.loads(FILE.read_text(encoding="utf-8"))


if __name__ == "__main__":
    print(FILE.read_text(encoding="utf-8"), end="")
