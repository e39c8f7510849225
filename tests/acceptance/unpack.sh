#!/usr/bin/env bash
# The acceptance checks of tauprof in one file: bash tauprof-acceptance.run [--help]
# Needs a Python of 3.8 or newer, and nothing else; takes what the machine has. Below is a tar archive.
set -u

python=python3
previous=
for word in "$@"; do
  case "$word" in --python=*) python=${word#--python=} ;; esac
  if [ "$previous" = --python ]; then python=$word; fi
  previous=$word
done

fail() {
  echo "tauprof-acceptance: $1" >&2
  exit 2
}

command -v "$python" >/dev/null || fail "$python: no such program; --python names the Python that has PyTorch"
"$python" -c 'import sys; sys.exit(sys.version_info < (3, 8))' || fail "$python is older than Python 3.8"
folder=$(mktemp -d "${TMPDIR:-/tmp}/tauprof-acceptance.XXXXXX") || fail "no folder can be made in ${TMPDIR:-/tmp}"
trap 'rm -rf "$folder"' EXIT
"$python" -c '
import io, sys, tarfile
with open(sys.argv[1], "rb") as file:
    archive = file.read().partition(b"\n__ARCHIVE" + b"__\n")[2]
with tarfile.open(fileobj=io.BytesIO(archive)) as packed:
    packed.extractall(sys.argv[2])
' "$0" "$folder" || fail "$0 is damaged, or ${TMPDIR:-/tmp} is full"
trap - EXIT
exec "$python" -B "$folder/tests/acceptance/accept.py" "$@"
__ARCHIVE__
