"""Whether tauprof starts here at all, and sees a first program as it is."""

import os
import subprocess

from check import Check, Lacked

SETS = 1000


def look_at_library(trial):
    """A library that the loader does not take is ignored, so the program runs, and nothing else would say why."""
    environment = {**os.environ, **trial.runs.preloading(os.environ)}
    done = subprocess.run(["true"], env=environment, stderr=subprocess.PIPE, universal_newlines=True, check=False)
    too_old = "GLIBC_" in done.stderr and "not found" in done.stderr
    if too_old:
        raise Lacked(f"a glibc that libtauprof.so can use: {done.stderr.strip()}; here is {trial.machine['glibc']}")
    trial.expect(f"the loader preloads libtauprof.so: {done.stderr.strip()}", done.returncode == 0 and not done.stderr)


def look_at_command(trial):
    done = trial.logs(None).tell("--version")
    trial.note(version=done.stdout.strip())
    trial.expect(f"`tauprof --version` works: {done.stderr.strip()[-300:]}", done.returncode == 0)


def look_at_first_program(trial):
    seen = trial.evidence.setdefault("runtimes", [])
    for runtime in trial.runtimes():
        _, run = trial.run_both(trial.cuda_calls("sets", SETS, runtime=runtime))
        trial.expect_silence(run)
        log = trial.only_log(run)
        if log is None:
            continue
        whole, rows = trial.logs(run).are_whole(), log.work("memset")
        seen.append({"runtime": runtime["runtime"], "driver": runtime["driver"], "cupti": log.cupti_version(),
                     "device_times": log.attribute("device_times"), "sets": len(rows), "drops": log.drops()})
        trial.expect("the log is whole", whole)
        trial.expect(f"each of {SETS} sets is in the log once ({len(rows)}, dropped: {dict(log.drops())})",
                     len(rows) == SETS)
        trial.expect(f"each set has its call ({log.without_call()} have none)", log.without_call() == 0)
        if runtime["cupti"]:
            trial.expect(f"device times come from CUPTI ({log.attribute('device_times')})",
                         log.attribute("device_times") == "CUPTI")
    if not any(runtime["cupti"] for runtime in trial.runtimes()):
        raise Lacked("CUPTI beside a CUDA runtime")


def look_at_uuid(trial):
    """The driver's bytes against the log's text, which NVML gave."""
    _, run = trial.run_both(trial.cuda_calls("sets", 10))
    log = trial.only_log(run)
    rows = log.rows["device"] if log else []
    logged = [row["uuid"] for row in rows]
    known = trial.runtimes()[0]["uuids"]
    trial.note(logged=logged, driver=known)
    trial.expect("the log names the device by its UUID",
                 bool(logged) and all(uuid.partition("-")[2].replace("-", "") in known for uuid in logged))
    return logged


def look_at_clocks(trial):
    _, run = trial.run_both(trial.cuda_calls("busy", 1))
    log = trial.only_log(run)
    rows = [row["value"] for row in log.rows["telemetry"] if row["metric"] == "sm_clock_mhz"] if log else []
    trial.note(sm_clock_mhz=rows)
    trial.expect("the log has clocks", any(rows))


def look_at_instance(trial):
    if not trial.machine["mig"]:
        raise Lacked("an instance of a divided GPU (MIG)")
    logged = look_at_uuid(trial)
    trial.expect("the UUID is an instance's", all(uuid.startswith("MIG-") for uuid in logged))
    look_at_clocks(trial)


CHECKS = (
    Check("library", "libtauprof.so can be preloaded here.", look_at_library, 60),
    Check("command", "The tauprof command runs here.", look_at_command, 60),
    Check("first-program", "A program's device work is in the log, each once and with its call, with every CUDA "
          "runtime of this machine.", look_at_first_program),
    Check("device-uuid", "The log names the device by its UUID.", look_at_uuid),
    Check("clocks", "The log has the device's clock.", look_at_clocks, 120),
    Check("mig", "The log names an instance of a divided GPU by the instance's UUID, with the clock of its GPU.",
          look_at_instance, 120),
)
