"""The reports of both jobs of a pair: whether the defect was found, and what its repair was said to be worth."""

from __future__ import annotations

import dataclasses


@dataclasses.dataclass
class Outcome:
    """The statements of the two reports."""

    pair: object
    with_defect: dict  # reports
    without: dict

    def found_in(self, report):
        """The finding about the pair's defect; None: there is none."""
        for finding in report["findings"]:
            if finding["id"] != self.pair.finding:
                continue
            if self.pair.rank is not None and finding["ranks"] != [self.pair.rank]:
                continue
            if self.pair.cause and f"cause: {self.pair.cause}" not in finding["evidence"]:
                continue
            return finding
        return None

    @staticmethod
    def step_of(report):
        return report["steps"]["duration_ns"]["mean"]

    @property
    def step(self):
        return self.step_of(self.with_defect)

    @property
    def mended_step(self):
        return self.step_of(self.without)

    @property
    def predicted_step(self):
        """None: not known."""
        finding = self.found_in(self.with_defect)
        if finding is None or finding["saves_ns_per_step"] is None:
            return None
        return self.step - finding["saves_ns_per_step"]

    @property
    def error(self):
        """Of the prediction, as a share of the step with the defect."""
        return None if self.predicted_step is None else abs(self.predicted_step - self.mended_step) / self.step

    def misnamed(self):
        """The fault in the finding, whatever it saves; "" if there is none."""
        finding = self.found_in(self.with_defect)
        if finding is None:
            return f"not found: {[(one['id'], one['ranks'], one['evidence']) for one in self.with_defect['findings']]}"
        if other := self.found_in(self.without):
            return f"found without the defect: {other}"
        for words in self.pair.says:
            if words not in finding["evidence"] + finding["advice"]:
                return f"does not say {words!r}: {finding}"
        return ""

    def fault(self):
        """The fault in the finding or in its saving; "" if there is none."""
        finding = self.found_in(self.with_defect)
        if self.misnamed():
            return self.misnamed()
        if self.pair.unpriced:
            is_right = finding["saves_ns_per_step"] is None and self.pair.unpriced in finding["saves_reason"]
            return "" if is_right else f"has a price: {finding}"
        if self.error is None:
            return f"has no price: {finding['saves_reason']}"
        if self.error > self.pair.tolerance:
            return (f"step {self.step / 1e6:.2f} ms, predicted {self.predicted_step / 1e6:.2f}, without the defect "
                    f"{self.mended_step / 1e6:.2f}: off by {self.error:.1%}")
        return ""
