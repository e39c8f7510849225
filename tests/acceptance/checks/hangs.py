"""A collective that hangs until the job is killed: what the logs and the report say of it."""

from check import Check
from pieces import SCENARIOS

CAN_FORCE_A_FLUSH = 130001  # CUPTI of CUDA 13.0 Update 1
UNTIL_SEEN_S = 8  # CUPTI gives what lies beside hanging work after 5 s


def look_at_hung_collective(trial):
    trial.need_torch()
    command = [trial.python, SCENARIOS / "scenarios" / "stuck.py"]
    started = trial.runs.start(command, ranks=2, variables={"TAUPROF_STACKS": "slow"})
    if trial.expect("the job hangs", started.wait_for("stuck", 120)):
        started.let_run(UNTIL_SEEN_S)
    started.kill()
    run = started.finish()
    trial.expect_silence(run)
    logs = trial.logs(run)
    contents, progress = logs.read(), logs.report().get("progress", {})
    trial.note(cupti=[log.cupti_version() for log in contents], progress={
        "state": progress.get("state"), "suspects": progress.get("suspects")},
        device_rows=[len(log.work("kernel")) for log in contents],
        open_calls=[[row["function"] for row in log.rows["open_call"]] for log in contents],
        drops=[log.drops() for log in contents])
    trial.expect(f"both ranks leave a log ({len(contents)})", len(contents) == 2)
    if all(log.cupti_version() >= CAN_FORCE_A_FLUSH for log in contents):
        trial.expect("the kernels of the five collectives before are in the logs",
                     bool(contents) and all(len(log.work("kernel")) >= 5 for log in contents))
    trial.expect(f"the report says that the job is stuck ({progress.get('state')})", progress.get("state") == "stuck")
    trial.expect(f"the report suspects rank 1 ({progress.get('suspects')})",
                 [suspect["rank"] for suspect in progress.get("suspects", [])] == [1])


CHECKS = (
    Check("hung-collective", "Of a job that was killed while a collective hung, the logs have the work before, and the "
          "report names the rank that never came.", look_at_hung_collective, 300),
)
