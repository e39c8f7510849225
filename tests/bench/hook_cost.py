"""The cost of a hook per call, compared with a minimal hook and with an LTTng-UST tracepoint."""

import json
import os
import pathlib
import shutil
import statistics
import subprocess
import tempfile

from measuring import BenchError, measure

THREADS = (1, 2, 4, 8, 16)


class HookCost:
    def __init__(self, bench):
        self.folder = bench.root / "build" / "release" / "tests" / "bench" / "hook_cost"
        self.library = bench.root / "build" / "release" / "lib" / "libtauprof.so"
        self.tauprof = bench.programs["tauprof"]
        self.bursts = 50 if bench.quick else 300
        self.bytes_per_event = []

    def calls(self, threads, preload=None, **environment):
        if preload is not None:
            environment["LD_PRELOAD"] = str(preload)
        done = subprocess.run([self.folder / "hook_cost", str(threads), str(self.bursts)], capture_output=True,
                              text=True, env={**os.environ, **environment})
        if done.returncode != 0 or "tauprof:" in done.stderr:
            raise BenchError(f"hook_cost: {done.stderr.strip()}")
        return json.loads(done.stdout)

    def bare_call(self, threads):
        return self.calls(threads)["ns_per_call"]

    def bare_wrapper(self, threads):
        return self.calls(threads, self.folder / "libhook_cost_bare.so")["ns_per_call"]

    def tauprof_hook(self, threads):
        """Under libtauprof.so; every call must be in the log. On a busy machine the writer may be too late for that;
        such a round is repeated."""
        for _ in range(5):
            cost, recorded, calls = self.recorded_calls(threads)
            if recorded == calls:
                return cost
        raise BenchError(f"{recorded} of {calls} calls are in the log")

    def recorded_calls(self, threads):
        with tempfile.TemporaryDirectory() as logs:
            done = self.calls(threads, self.library, TAUPROF_DIR=logs, TAUPROF_CAPTURE="api")
            (log,) = pathlib.Path(logs).iterdir()
            dump = subprocess.run([self.tauprof, "dump", log], capture_output=True, text=True).stdout
            recorded = dump.count("\ncall ")
            self.bytes_per_event.append(log.stat().st_size / recorded)
        return done["ns_per_call"], recorded, done["calls"]

    def has_lttng(self):
        return (self.folder / "libhook_cost_lttng.so").exists() and shutil.which("lttng") is not None

    def lttng_tracepoint(self, threads):
        with tempfile.TemporaryDirectory() as home:
            environment = {**os.environ, "LTTNG_HOME": home}

            def lttng(*words):
                done = subprocess.run(["lttng", *words], env=environment, capture_output=True, text=True)
                if done.returncode != 0:
                    raise BenchError(f"lttng {words[0]}: {(done.stderr or done.stdout).strip()}")

            lttng("create", "bench", f"--output={home}/trace")
            lttng("enable-channel", "--userspace", "--subbuf-size=4M", "--num-subbuf=4", "bench")
            lttng("enable-event", "--userspace", "--channel=bench", "tauprof_bench:*")
            lttng("start")
            try:
                return self.calls(threads, self.folder / "libhook_cost_lttng.so", LTTNG_HOME=home)["ns_per_call"]
            finally:
                lttng("destroy", "bench")


def hooks_section(bench):
    cost = HookCost(bench)
    subjects = {"bare": cost.bare_wrapper, "tauprof": cost.tauprof_hook}
    if cost.has_lttng():
        subjects["lttng"] = cost.lttng_tracepoint
    added = {(name, threads): [] for name in subjects for threads in THREADS}
    for number in range(bench.rounds + 1):
        for threads in THREADS:
            call = cost.bare_call(threads)
            for name, subject in subjects.items():
                value = subject(threads) - call
                if number > 0:
                    added[name, threads].append(value)
    ratio = [t / b for t, b in zip(added["tauprof", 1], added["bare", 1])]
    growth = [s / o for s, o in zip(added["tauprof", 16], added["tauprof", 1])]
    measures = [measure(f"bare wrapper, {n} threads", "ns per call", added["bare", n]) for n in (1, 16)]
    measures += [measure(f"`libtauprof.so`, {n} threads", "ns per call", added["tauprof", n]) for n in THREADS]
    measures.append(measure("`libtauprof.so` ÷ bare wrapper, 1 thread", "×", ratio, below=1.3))
    measures.append(measure("`libtauprof.so`, 16 threads ÷ 1 thread", "×", growth))
    facts = [f"What is added to a call that does nothing, in bursts of 1,000 calls; every record is in the log "
             f"({statistics.median(cost.bytes_per_event):.2f} bytes each)."]
    if "lttng" in subjects:
        share = [t / e for t, e in zip(added["tauprof", 1], added["lttng", 1])]
        measures.append(measure("LTTng-UST tracepoint, 1 thread", "ns per call", added["lttng", 1]))
        measures.append(measure("`libtauprof.so` ÷ LTTng-UST, 1 thread", "×", share, below=1 / 3))
    else:
        facts.append("LTTng-UST is not installed here (packages lttng-tools and liblttng-ust-dev): not compared.")
    return {"title": "Cost of a hook", "facts": facts, "measures": measures}
