"""python3 -m oracle TRUTH.jsonl: prints the expected report as JSON."""

import json
import sys

from oracle import report, truth


def main():
    if len(sys.argv) != 2:
        sys.exit("usage: python3 -m oracle TRUTH.jsonl")
    json.dump(report.expected(truth.load(sys.argv[1])), sys.stdout, indent=1, default=float)
    print()


main()
