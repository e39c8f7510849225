"""CUDA events in place of CUPTI: what they time, and that they leave devices alone."""

from check import Check

EVENTS = {"TAUPROF_DEVICE_TIMING": "events"}
ONE_QUEUE = {"CUDA_DEVICE_MAX_CONNECTIONS": "1"}
SETS = 300
CLOSE = 0.2  # of the time by CUPTI


def total_ns(log):
    return sum(row["duration"] for row in log.work("memset"))


def recorded_sets(trial, run, count):
    log = trial.only_log(run)
    if log is None:
        return None
    rows, drops = len(log.work("memset")), log.drops()
    trial.expect(f"each of {count} sets has its time ({rows}, dropped: {dict(drops)})", rows == count)
    return log


def look_at_connections(trial):
    """Two streams that wait for each other, all in one hardware queue, as Megatron runs."""
    command, seconds, totals = trial.cuda_calls("streams", SETS), {}, {}
    bare = trial.runs.run(command, recorded=False, variables=ONE_QUEUE)
    seconds["bare"] = bare.seconds
    for way in ("cupti", "events"):
        run = trial.runs.run(command, variables={**ONE_QUEUE, "TAUPROF_DEVICE_TIMING": way})
        trial.expect_same_outside(bare, run)
        trial.expect_silence(run)
        seconds[way] = run.seconds
        log = recorded_sets(trial, run, 2 * SETS)
        totals[way] = total_ns(log) if log else 0
    trial.note(wall_seconds=seconds, device_ns=totals)
    trial.expect(f"events and CUPTI agree on the device's time to {CLOSE:.0%} ({totals})",
                 abs(totals["events"] - totals["cupti"]) <= CLOSE * totals["cupti"])


def look_at_reset(trial):
    _, run = trial.run_both(trial.cuda_calls("reset"), variables=EVENTS)
    trial.expect_silence(run)
    log = trial.only_log(run)
    if log:
        rows, drops = len(log.work("memset")), log.drops()
        trial.note(sets=rows, drops=drops)
        trial.expect(f"each of 80 sets has its time or is counted ({rows}, {dict(drops)})",
                     rows + sum(drops.values()) == 80)
        trial.expect("work after the reset has times", rows > 40)


def look_at_device(trial, way, gpus):
    trial.need_gpus(gpus)
    for variables in (EVENTS, {}):
        _, run = trial.run_both(trial.cuda_calls(way), variables=variables)
        trial.expect_silence(run)
        recorded_sets(trial, run, 40)
        trial.note(printed=run.output.strip())


def look_at_no_times(trial):
    run = trial.runs.run(trial.cuda_calls("sets", SETS), variables={"TAUPROF_DEVICE_TIMING": "off"})
    told = trial.logs(run).tell("analyze", run.logs, "--show", "recording").stdout
    lines = [line.strip() for line in told.splitlines() if "no device times: " in line]
    trial.note(lines=lines)
    trial.expect("the report says why there are no device times", bool(lines) and "TAUPROF_DEVICE_TIMING" in lines[0])


CHECKS = (
    Check("no-device-times", "A report without device times says why.", look_at_no_times, 60),
    Check("one-queue", "CUDA_DEVICE_MAX_CONNECTIONS=1: the program ends as without us, and events time every launch "
          "as CUPTI does.", look_at_connections, is_about_time=True),
    Check("reset", "CUDA events survive cudaDeviceReset.", look_at_reset),
    Check("driver-device", "A device chosen by the driver API is timed by events and by CUPTI.",
          lambda trial: look_at_device(trial, "driver", 1)),
    Check("second-device", "A program on device 1 alone gets no context on device 0 from us.",
          lambda trial: look_at_device(trial, "second", 2)),
)
