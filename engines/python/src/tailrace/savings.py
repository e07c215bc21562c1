"""What accepted drafts have saved of an engine's time, less what the steps that verified them took longer."""

from __future__ import annotations

MEAN_STEPS = 16
LOST_STEPS_MAX = 64.0


class Savings:
    """A step without drafts says how long one takes; a step with drafts costs what it takes longer.

    An accepted token spares its request such a step. Means are kept for 1, 2 to 3, 4 to 7, 8 to 15 requests and so on.
    While none is known nothing is saved. What steps with drafts have lost is made good before anything counts as saved;
    of that :data:`LOST_STEPS_MAX` steps are kept in mind, so that other traffic is soon judged by itself.
    """

    __slots__ = ("_counts", "_lost", "_plain")

    def __init__(self) -> None:
        self._plain: dict[int, float] = {}  # seconds of a step without drafts, by bits of its number of requests
        self._counts: dict[int, int] = {}
        self._lost = 0.0

    def plain(self, seconds: float, requests: int) -> None:
        """A step without drafts was measured."""
        size = requests.bit_length()
        count = self._counts[size] = min(MEAN_STEPS, self._counts.get(size, 0) + 1)
        mean = self._plain.get(size, 0.0)
        self._plain[size] = mean + (seconds - mean) / count

    def step(self, seconds: float, requests: int, drafts: bool, accepted: int) -> float:
        """Seconds that are saved beyond all that was lost, when a step is over.

        `drafts` says whether it verified any, `accepted` how many draft tokens were since the step before. Those of one
        step may be told with the next.
        """
        mean = self._plain.get(requests.bit_length())
        if mean is None:
            return 0.0
        plain = min(mean, seconds)
        saved = plain * accepted / max(1, requests) - (seconds - plain if drafts else 0.0) - self._lost
        self._lost = min(LOST_STEPS_MAX * plain, max(0.0, -saved))
        return max(0.0, saved)
