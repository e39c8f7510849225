"""Judges what the ranks saw: which parameters got no gradient, and whether DDP would accept that.

A parameter is judged over all ranks that hold it. If no rank used it, it is unused. If some did, DDP refuses it on the
others. If all did, but not in each backward pass, DDP refuses it if it synchronizes each pass (accumulation without
no_sync). Under FSDP's first version, the unused parts of a flat parameter get a gradient of zeros. So a parameter whose
gradient is all zeros may be unused, and nothing can be said about a flat parameter as a whole.
"""

UNUSED, SOME_RANKS, SOME_PASSES, FROZEN, ZERO, USED = "UNUSED", "SOME RANKS", "SOME PASSES", "FROZEN", "ZERO", "USED"
FLAT_PARAMETER = "_flat_param"  # its name under FullyShardedDataParallel(use_orig_params=False)
SECTIONS = (UNUSED, SOME_RANKS, SOME_PASSES, ZERO, FROZEN, USED)


class Judged:
    """One parameter over all ranks."""

    def __init__(self, entries):
        first = entries[min(entries)]
        self.model, self.name, self.ties = first["model"], first["names"][0], first["names"][1:]
        self.shape, self.count, self.kind = first["shape"], first["count"], first["kind"]
        self.is_optimized = any(entry["is_optimized"] for entry in entries.values())
        held = {rank: entry for rank, entry in entries.items() if entry["is_held"]} or entries
        self.using = sorted(rank for rank, entry in held.items() if entry["is_used"])
        self.missing = sorted(set(held) - set(self.using))
        self.passes = min((e["passes"], e["model_passes"]) for e in held.values())
        self.section = self._section(entries, held)
        is_flat = any(entry["is_flat"] for entry in entries.values())
        is_whole = self.name.split(".")[-1] == FLAT_PARAMETER
        self.is_hidden = is_flat and (self.section == ZERO or (is_whole and self.section == USED))

    def _section(self, entries, held):
        if not any(entry["is_trainable"] for entry in entries.values()):
            return FROZEN
        if not self.using:
            return UNUSED
        if self.missing:
            return SOME_RANKS
        if any(entry["passes"] < entry["model_passes"] for entry in held.values()):
            return SOME_PASSES
        return ZERO if all(entry["is_zero"] for entry in held.values()) else USED


class Verdict:
    def __init__(self, documents, parameters):
        first = documents[0]
        self.ranks, self.world = [seen["rank"] for seen in documents], first["world"]
        self.models, self.others = first["models"], first["others"]
        self.optimizers, self.awaited = first["optimizers"], first["awaited"]
        self.asks_zero = first["asks_zero"]
        self.sections = {section: [p for p in parameters if p.section == section] for section in SECTIONS}
        self.hidden = [p for p in parameters if p.is_hidden]
        self.is_refused = any(self.sections[section] for section in (UNUSED, SOME_RANKS, SOME_PASSES))
        self.is_safe = not self.is_refused and not self.hidden
        trained = [p for p in parameters if p.section != FROZEN]
        # An optimizer that works on copies of its own says nothing about the model's parameters.
        self.left_out = [p for p in trained if not p.is_optimized] if any(
            p.is_optimized for p in trained if not p.model.startswith("parameters of ")) else []


def judge(documents):
    by_name = {}
    for seen in documents:
        for entry in seen["parameters"]:
            by_name.setdefault((entry["model"], entry["names"][0]), {})[seen["rank"]] = entry
    return Verdict(documents, [Judged(entries) for entries in by_name.values()])
