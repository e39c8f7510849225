"""The whole expected report, with the section names of the JSON report."""

from oracle import collectives, efficiency, hta, kernels, ledger, overlap, phases, stragglers, windows


def expected(job):
    ranks = job.logged_ranks()
    ledgers = {rank.rank: ledger.of_rank(job, rank) for rank in ranks}
    overlaps = {rank.rank: overlap.of_rank(rank) for rank in ranks}
    return {
        "run": {"ranks": len(ranks), "world_size": job.world_size, "hosts": len({rank.host for rank in ranks}),
                "source": "preload"},
        "steps": windows.report(job),
        "phases": phases.rows(job),
        "ledger": ledger.report(list(ledgers.values())),
        "overlap": overlap.report([window for of_rank in overlaps.values() for window in of_rank]),
        "collectives": collectives.rows(job),
        "communication": collectives.communication(job),
        "messages": {"channels": collectives.channels(job)},
        "stragglers": stragglers.report(job, ledgers),
        "kernels": kernels.rows(job),
        "efficiency": efficiency.report(job, ledgers),
        "per_rank": [_of_rank(rank, ledgers[rank.rank], overlaps[rank.rank]) for rank in ranks],
    }


def _of_rank(rank, of_ledger, of_overlap):
    totals, window_ns = of_ledger
    return {"rank": rank.rank, "host": rank.host, "step_ns": window_ns, "ledger": ledger.by_row(totals),
            "overlap": overlap.report(of_overlap), "hta": hta.of_rank(rank)}
