"""The recorder's descriptors belong to the program's table of descriptors, which the program may close and reuse."""

import os

import pytest

from faults import calls_of, fault, hostile, lines_of_recorder, run_both


@fault("The program closes all descriptors and opens its own files", loses="nothing")
@pytest.mark.parametrize("way", ["close", "replace"])
def test_the_programs_files_stay_its_own(recorder, tmp_path, way):
    _, run = run_both(recorder, hostile("descriptors", way, tmp_path / "own"))
    assert run.output == "2300 bytes, as written\n"
    assert lines_of_recorder(run) == []
    assert calls_of(run.only_log(), "cudaMemsetAsync") == 1020
    assert run.check().returncode == 0


@fault("The program counts the descriptors that it gets", loses="nothing")
@pytest.mark.parametrize("closed", [None, 0])
def test_the_program_gets_the_same_numbers(recorder, tmp_path, closed):
    def close_one():
        if closed is not None:
            os.close(closed)

    # The number of the simulator's truth file depends on the moment.
    without_truth = ["env", "-u", "SIMGPU_TRUTH"]
    _, run = run_both(recorder, [*without_truth, *hostile("descriptors", "number", tmp_path / "own")],
                      preexec_fn=close_one)
    assert run.output.count("number ") == 1
    assert calls_of(run.only_log(), "cudaMemsetAsync") == 1020


@fault("Descriptors 0, 1 and 2 are closed at the start", loses="nothing")
def test_a_program_without_standard_streams_is_recorded(recorder, tmp_path):
    def close_standard_streams():
        for number in (0, 1, 2):
            os.close(number)

    run = recorder.run(hostile("descriptors", "none", tmp_path / "own"), preexec_fn=close_standard_streams)
    assert run.status == 0
    assert calls_of(run.only_log(), "cudaMemsetAsync") == 1020
    assert run.check().returncode == 0
