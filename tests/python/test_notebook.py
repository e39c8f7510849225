"""docs/report.ipynb runs from its first cell to its last on each kind of report, in Jupyter where there is one."""

import json
import os
import subprocess
import sys

import pytest

from conftest import PACKAGE, ROOT

NOTEBOOK = ROOT / "docs" / "report.ipynb"


def code_cells():
    cells = json.loads(NOTEBOOK.read_text(encoding="utf-8"))["cells"]
    return ["".join(cell["source"]) for cell in cells if cell["cell_type"] == "code"]


def environment(logs):
    return {**os.environ, "LOGS": str(logs), "PYTHONPATH": PACKAGE}


@pytest.mark.parametrize("job", ["straggler", "no_marks", "one_rank"])
def test_the_notebook_runs(logs, job, tmp_path):
    pytest.importorskip("pandas")
    cells = code_cells()
    assert len(cells) > 4
    script = tmp_path / "cells.py"
    script.write_text("import ast\nspace = {}\n"
                      f"for cell in {cells!r}:\n"
                      "    *body, last = ast.parse(cell).body\n"
                      "    exec(compile(ast.Module(body, []), 'cell', 'exec'), space)\n"
                      "    if isinstance(last, ast.Expr):\n"
                      "        print(eval(compile(ast.Expression(last.value), 'cell', 'eval'), space))\n"
                      "    else:\n"
                      "        exec(compile(ast.Module([last], []), 'cell', 'exec'), space)\n")
    done = subprocess.run([sys.executable, "-W", "error::FutureWarning", script], env=environment(logs(job)), capture_output=True,
                          text=True, timeout=120)
    assert done.returncode == 0, done.stderr
    assert "share" in done.stdout and "times the median" in done.stdout
    if job == "straggler":
        assert "Rank 2" in done.stdout and "straggler" in done.stdout


def test_jupyter_runs_the_notebook(logs, tmp_path):
    nbclient = pytest.importorskip("nbclient")
    nbformat = pytest.importorskip("nbformat")
    notebook = nbformat.read(NOTEBOOK, as_version=4)
    nbformat.validate(notebook)
    before = dict(os.environ)
    os.environ.update(environment(logs("straggler")))
    try:
        nbclient.NotebookClient(notebook, timeout=120, resources={"metadata": {"path": str(tmp_path)}}).execute()
    finally:
        os.environ.clear()
        os.environ.update(before)


def test_the_notebook_has_no_outputs():
    for cell in json.loads(NOTEBOOK.read_text(encoding="utf-8"))["cells"]:
        assert not cell.get("outputs"), "clear the outputs: they are of one run, and make every change a large one"
