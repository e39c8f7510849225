"""Every command of every document: run, or where that cannot be here, looked up in the help of its program."""

import os
import re

import pytest

from documented import blocks_without_their_language, commands_in_sentences, commands_of, documents, typed_in
from looked_up import faults_of
from programs import program
from reader import Reader, copy_recorded, generate_all
from stand_ins import ANSWERS, LOOKED_UP, NOT_OURS, STAND_INS

EXAMPLES = "docs/examples/"  # written by scripts/examples, with the commands that made them


def fits(rows, text):
    return any(re.search(said, text) for said in rows)


@pytest.fixture(scope="module")
def place(tauprof_generate, tmp_path_factory):
    for variable in ("TAUPROF_TRAINING", "TAUPROF_PRELOAD", "TAUPROF_WITH_SIMGPU", "TAUPROF_PYTHON_PACKAGE"):
        program(variable)
    folder = tmp_path_factory.mktemp("place")
    generate_all(tauprof_generate, folder)
    copy_recorded(folder)
    return folder


@pytest.mark.parametrize("document", [document for document in documents() if commands_of(document)])
def test_every_command_of_a_document_works(document, place, tauprof, tmp_path):
    reader = Reader(tmp_path, tauprof, place)
    faults = []
    for command in commands_of(document):
        if fits(LOOKED_UP, command.text):
            found = "; ".join(faults_of(command.text, tauprof))
        elif not fits(NOT_OURS, command.text):
            found = reader.fault_of(command.text)
        else:
            found = None
        if found:
            faults.append(f"{command}\n  {found}")
    assert not faults, "\n".join(faults)


def test_the_help_has_every_option_that_a_sentence_names(tauprof):
    faults = [f"{command}: {fault}" for document in documents() if not document.startswith(EXAMPLES)
              for command in commands_in_sentences(document) for fault in faults_of(command.text, tauprof)]
    assert not faults, "\n".join(faults)


def test_blocks_of_commands_say_that_they_are():
    assert {document: found for document in documents() if (found := blocks_without_their_language(document))} == {}


def test_each_row_of_the_tables_fits_a_command():
    texts = [command.text for document in documents() for command in commands_of(document)]
    # A stand-in may speak of what an earlier one left.
    stood_in = [re.sub(said, instead, text) for text in texts for said, instead in STAND_INS]
    rows = [said for said, _ in STAND_INS] + [*ANSWERS, *LOOKED_UP, *NOT_OURS]
    assert [said for said in rows if not any(fits([said], text) for text in texts + stood_in)] == []


def test_unknown_commands_and_options_are_found(tauprof, place, tmp_path):
    reader = Reader(tmp_path, tauprof, place)
    assert "127" in reader.fault_of("no-such-program logs")
    assert reader.fault_of("tauprof analyze logs --no-such-option")
    assert faults_of("tauprof run --no-such-option -- python train.py", tauprof) == ["no option --no-such-option"]
    assert faults_of("tauprof export logs -f nothing", tauprof)
    assert faults_of("scripts/bench --no-such-option", tauprof) == ["no option --no-such-option"]
    assert faults_of("cmake --build --preset none --target nothing", tauprof) == ["no preset none", "no target nothing"]


def test_a_command_may_go_over_lines():
    lines = ["echo 'a", "b' | cat", "# nothing", "echo \\", "c"]
    assert [*typed_in(lines)] == [(0, "echo 'a\nb' | cat"), (3, "echo \\\nc")]
