"""The laboratory's drafters take turns, and none always follows the same other one."""

from __future__ import annotations

from collections import Counter
from itertools import pairwise
from pathlib import Path

import pytest

LABORATORY = Path(__file__).parents[3] / "lab" / "src" / "main" / "python"


@pytest.mark.parametrize("count", range(1, 9))
def test_each_follows_each_other_equally_often(count: int, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.syspath_prepend(str(LABORATORY))
    from tailrace_bench.__main__ import balanced

    orders = balanced(count)
    assert all(sorted(order) == list(range(count)) for order in orders)
    follows = Counter(pair for order in orders for pair in pairwise(order))
    assert len(follows) == count * (count - 1)
    assert len(set(follows.values())) <= 1
    places = Counter((place, each) for order in orders for place, each in enumerate(order))
    assert len(set(places.values())) == 1
