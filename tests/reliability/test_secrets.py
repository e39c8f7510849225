"""Nothing that must stay secret is in the log."""

from faults import fault, run_both
from recorded_run import program


@fault("The command line has passwords, keys and tokens", loses="their values, `***` in the log")
def test_secrets_of_the_command_line_are_masked(recorder):
    multiplies = program("TAUPROF_RELIABILITY_PROGRAMS") + "/multiplies"
    secrets = ["--token", "Hush1", "--api-key=Hush2", "HF_TOKEN=Hush3", "db.password=Hush 4", "https://me:Hush5@host/x"]
    _, run = run_both(recorder, [multiplies, "--lr", "0.1", *secrets])
    [command] = [row["value"] for row in run.only_log().rows["attribute"] if row["name"] == "command"]
    masked = "--token *** --api-key=*** HF_TOKEN=*** db.password=*** https://me:***@host/x"
    assert command == f"{multiplies} --lr 0.1 {masked}"
