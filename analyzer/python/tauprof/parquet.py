"""Writes a run as Parquet, with pyarrow: `tauprof export DIR -f parquet -o FOLDER` calls this module.

The tables are those of docs/export.md. A table with a rank is partitioned by it (spans/rank=3/part-0.parquet), which
DuckDB, Polars, pandas and Spark read as one; the others are a file each. Rows stream through a database beside the
output, so memory does not grow with the run.
"""

import argparse
import os
import shutil
import signal
import subprocess
import sys
import tempfile

from tauprof import command
from tauprof.command import TauprofError

RUN_OPTIONS = ("--run", "--ranks", "--steps", "--rules")  # of tauprof export
ROWS = 1 << 16  # of a batch: 10 MB of the widest table


def to_parquet(path, folder, *options):
    """Writes the run at `path` (logs, traces of the PyTorch profiler, folders of them, or a list of such) to `folder`, which must be empty or not
    there.

    `options` go to `tauprof export`, such as "--run", "ID". Raises TauprofError with what tauprof says of the input, and
    OSError where the output cannot be written."""
    _need_pyarrow()
    folder = os.path.abspath(os.fspath(folder))
    if os.path.exists(folder) and (not os.path.isdir(folder) or os.listdir(folder)):
        raise FileExistsError(17, "not an empty directory", folder)
    hidden = tempfile.mkdtemp(prefix=".tauprof-", dir=os.path.dirname(folder))
    try:
        database = os.path.join(hidden, "run.sqlite")
        done = command.run("export", *command.paths(path), "-f", "sqlite", "-o", database, *options,
                           stderr=subprocess.PIPE)
        if done.returncode != 0:
            raise TauprofError(done.stderr.decode("utf-8", "replace").strip())
        output = os.path.join(hidden, "tables")
        os.mkdir(output)
        _write_tables(database, output)
        os.chmod(output, 0o755)
        if os.path.isdir(folder):
            os.rmdir(folder)
        os.rename(output, folder)
    finally:
        shutil.rmtree(hidden, ignore_errors=True)


def _need_pyarrow():
    try:
        import pyarrow  # noqa: F401
    except ImportError:
        raise ImportError("Parquet needs pyarrow in {}: pip install pyarrow".format(sys.executable)) from None


def _write_tables(database, output):
    import sqlite3

    connection = sqlite3.connect("file:{}?mode=ro".format(database), uri=True)
    connection.text_factory = lambda text: text.decode("utf-8", "replace")
    try:
        tables = [row[0] for row in connection.execute("SELECT name FROM sqlite_master WHERE type = 'table'")]
        for table in tables:
            _write_table(connection, table, output)
    finally:
        connection.close()


def _write_table(connection, table, output):
    columns = [(row[1], row[2].upper()) for row in connection.execute("PRAGMA table_info({})".format(table))]
    names = [name for name, _ in columns]
    if "rank" not in names:
        _write_rows(connection.execute("SELECT * FROM {}".format(table)), columns,
                    os.path.join(output, table + ".parquet"))
        return
    columns = [column for column in columns if column[0] != "rank"]
    chosen = ", ".join('"{}"'.format(name) for name, _ in columns)
    # Null: what is not of one rank, such as a finding about all of them.
    for (rank,) in connection.execute("SELECT DISTINCT rank FROM {} ORDER BY rank".format(table)).fetchall():
        part = os.path.join(output, table, "rank={}".format("__HIVE_DEFAULT_PARTITION__" if rank is None else rank))
        os.makedirs(part)
        rows = connection.execute("SELECT {} FROM {} WHERE rank IS ?".format(chosen, table), (rank,))
        _write_rows(rows, columns, os.path.join(part, "part-0.parquet"))


def _write_rows(rows, columns, path):
    import pyarrow
    from pyarrow import parquet

    kinds = {"INTEGER": pyarrow.int64(), "REAL": pyarrow.float64(), "TEXT": pyarrow.string()}
    schema = pyarrow.schema([(name, kinds[kind]) for name, kind in columns])
    with parquet.ParquetWriter(path, schema, compression="zstd") as writer:
        while True:
            batch = rows.fetchmany(ROWS)
            if not batch:
                break
            arrays = [pyarrow.array(values, type=field.type) for values, field in zip(zip(*batch), schema)]
            writer.write_batch(pyarrow.record_batch(arrays, schema=schema))


def main():
    parser = argparse.ArgumentParser(prog="python -m tauprof.parquet", description="Writes a run as Parquet.")
    parser.add_argument("path", metavar="DIR", nargs="+", help="logs, traces, or directories of them")
    parser.add_argument("-o", "--output", required=True, help="a directory, which must be empty or not there")
    for option in RUN_OPTIONS:
        parser.add_argument(option, help="as of tauprof export")
    arguments = parser.parse_args()
    try:
        _need_pyarrow()
    except ImportError as error:
        sys.exit("tauprof: {}".format(error))
    for number in (signal.SIGHUP, signal.SIGINT, signal.SIGTERM):  # so that nothing of the output stays
        if signal.getsignal(number) is not signal.SIG_IGN:
            signal.signal(number, lambda caught, _: sys.exit(128 + caught))
    try:
        values = vars(arguments)
        options = [word for option in RUN_OPTIONS if values[option[2:]] is not None for word in (option, values[option[2:]])]
        to_parquet(arguments.path, arguments.output, *options)
    except TauprofError as error:
        print(error, file=sys.stderr)
        sys.exit(3)
    except OSError as error:
        print("tauprof: {}: {}".format(error.filename or arguments.output, error.strerror), file=sys.stderr)
        sys.exit(1)


if __name__ == "__main__":
    main()
