"""The output of a run: the machine, a line for each check, and at the end what failed, first of all."""

from __future__ import annotations

from check import FAILED, LACKED, MEASURED, PASSED

LINES_OF_OUTPUT = 6


def machine_lines(machine):
    versions = [f"CUDA runtime {runtime['runtime']} (driver {runtime['driver']}, CUPTI {runtime['cupti']})"
                for runtime in machine["runtimes"]]
    torch = machine["torch"]
    lacks = [name for name, path in machine["tools"].items() if not path]
    versions += [f"{library}: {why}" for library, why in machine["runtimes_that_do_not_work"].items()
                 if not machine["runtimes"]]
    return [f"{'SIMULATED ' if machine['simulated'] else ''}GPUs: {machine['gpus']} {machine['gpu_names']}",
            f"{'; '.join(versions) or 'no CUDA runtime'}; glibc {machine['glibc']}",
            f"PyTorch {torch.get('version', 'none')} (sees a GPU: {torch.get('cuda_works', False)}), "
            f"Triton {machine['triton'].get('version', 'none')}, NCCL {torch.get('nccl', 'none')}",
            f"not here: {', '.join(lacks) or 'nothing'}"]


def progress_line(outcome):
    return f"{outcome.outcome:<9} {outcome.check:<28} {outcome.seconds:8.1f} s  {'; '.join(outcome.why)[:150]}"


def closing_lines(result):
    failed, lacked, measured = result.of(FAILED), result.of(LACKED), result.of(MEASURED)
    lines = [f"{len(failed)} failed, {len(result.of(PASSED))} passed, {len(measured)} measured, {len(lacked)} lacked"]
    for outcome in failed:
        lines += [f"FAILED {outcome.check}: {outcome.claim}", *(f"  not so: {why}" for why in outcome.why)]
        lines += [f"  | {line}" for line in outcome.output.strip().splitlines()[-LINES_OF_OUTPUT:]]
    for why in dict.fromkeys("; ".join(outcome.why) for outcome in lacked):
        names = [outcome.check for outcome in lacked if "; ".join(outcome.why) == why]
        lines += [f"lacked {why}: {', '.join(names)}"]
    for outcome in measured:
        lines.append(f"measured {outcome.check}: {outcome.claim}")
        lines += [f"  {line}" for line in outcome.evidence.get("summary", [])]
    return lines + [f"result: {result.path}"]
