"""docs/accuracy.md, from verdicts."""

from __future__ import annotations

import statistics

HEAD = """# How often the report is right

`scripts/accuracy --document` writes this page. It generates training jobs with defects whose rank, cause and place are known ([tests/accuracy/jobs.py](../tests/accuracy/jobs.py)), analyses each, and compares. The generator shares no code with the analyzer. Each job is drawn at random, with its number as seed: a shape with numbers of layers, micro-batches and ranks; one or two defects that cost 3 % or more of the steps that they are in, in each step, in every third, alternating between two ranks, or two at once; clocks that are exact, wrong by 0.3 ms, 5 ms or seconds, or drifting; sometimes a lost record or a rank without a log. If a rank is missing, the report must say so and blame no other. `unknown` is a wrong cause. The rank is right if exactly the defective ranks are found.

None of these jobs ran on a GPU.
"""


def share(right, of):
    return f"{right} of {of}" if of else "–"


def score(verdicts):
    return (share(sum(one.is_rank_right for one in verdicts), len(verdicts)),
            share(sum(one.is_cause_right for one in verdicts), len(verdicts)),
            share(sum(one.is_place_right for one in verdicts if one.is_rank_right), sum(one.is_rank_right for one in verdicts)))


def table_by(title, key, verdicts):
    lines = [f"| {title} | rank | cause |", "| --- | --- | --- |"]
    groups = {}
    for one in verdicts:
        for value in key(one.job):
            groups.setdefault(value, []).append(one)
    for value, group in sorted(groups.items()):
        rank, cause, _ = score(group)
        lines.append(f"| {value} | {rank} | {cause} |")
    return "\n".join(lines) + "\n"


def prices_of(verdicts):
    """The paragraph on what repairs save."""
    prices = [price for one in verdicts for price in one.prices]
    known = sorted((price.error for price in prices if price.saves is not None), reverse=True)
    if not known:
        return "No repair was priced.\n"
    worst = max((one for one in verdicts if one.prices),
                key=lambda one: max(price.error if price.saves is not None else 0 for price in one.prices))
    text = (f"What repairing a rank saves, in {len(known)} pairs with and without its defect: off by "
            f"{statistics.mean(known):.2%} of the step on average, {statistics.median(known):.3%} in the median, "
            f"{known[0]:.2%} at worst (job {worst.job.number}).")
    unknown = [f"job {one.job.number}: {price.reason}" for one in verdicts for price in one.prices
               if price.saves is None]
    return text + (f" Not known in {len(unknown)}: {'; '.join(unknown)}." if unknown else "") + "\n"


def words(causes):
    return ", ".join(f"rank {rank}: {cause}" for rank, cause in sorted(causes.items())) or "nobody"


def failures(verdicts):
    lines = []
    for one in verdicts:
        if one.is_rank_right and one.is_cause_right:
            continue
        truth = f"rank {one.job.missing} is missing" if one.job.missing is not None else words(one.job.causes)
        lines.append(f"| {one.job.number} | {one.job.shape} | {one.job.when} | {one.job.clocks} | {truth} | "
                     f"{words(one.found)} |")
    if not lines:
        return "All were right.\n"
    return "\n".join(["| job | shape | when | clocks | truth | found |", "| --- | --- | --- | --- | --- | --- |",
                      *lines]) + "\n"


def part(title, verdicts):
    rank, cause, place = score(verdicts)
    causes = lambda job: sorted(set(job.causes.values())) or ["a rank is missing"]  # noqa: E731
    return "\n".join((
        f"## {title}\n", f"Rank right in {rank}, cause in {cause}; of the right ranks, place in {place}.\n",
        prices_of(verdicts),
        table_by("shape", lambda job: [job.shape], verdicts), table_by("cause", causes, verdicts),
        table_by("when", lambda job: [job.when], verdicts), table_by("clocks", lambda job: [job.clocks], verdicts),
        table_by("the log lacks", lambda job: [job.lacks], verdicts), "What was wrong:\n", failures(verdicts)))


def document_of(seen, held_out, clean, clean_held_out):
    parts = [HEAD]
    if held_out:
        parts.append(part("Jobs that no change was tried on", held_out))
    parts.append(part("Jobs that were used while the analyzer was changed", seen))
    if clean or clean_held_out:
        blamed = [[one for one in jobs if not one.blames_nobody] for jobs in (clean_held_out, clean)]
        parts.append("## Clean jobs\n\nNoise of 2 to 15 %, all shapes, all clocks: a straggler is found, or any finding "
                     "names a rank, in "
                     f"{share(len(blamed[0]), len(clean_held_out))} jobs that no change was tried on, and in "
                     f"{share(len(blamed[1]), len(clean))} others.\n")
        if any(blamed):
            parts.append(failures(blamed[0] + blamed[1]))
    return "\n".join(parts)
