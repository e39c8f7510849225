"""What becomes of the recorder's settings in a program that changes its environment."""

from faults import calls_of, fault, hostile, run_both


@fault("The program clears its environment before its first call", loses="nothing")
def test_a_cleared_environment_changes_no_setting(recorder):
    _, run = run_both(recorder, hostile("clears_environment"), variables={"RANK": "3", "WORLD_SIZE": "8"})
    log = run.only_log()  # where TAUPROF_DIR says
    assert calls_of(log, "cudaMemset") == 1
    assert log.rows["process"][0]["rank"] == 3
