"""What drafts have saved."""

from __future__ import annotations

import random

import pytest

from tailrace.savings import LOST_STEPS_MAX, Savings


def measured(requests: int = 1, seconds: float = 0.01) -> Savings:
    savings = Savings()
    savings.plain(seconds, requests)
    return savings


def test_a_token_saves_its_request_a_step() -> None:
    assert measured().step(0.01, 1, True, 2) == pytest.approx(0.02)
    assert measured(5).step(0.01, 5, True, 10) == pytest.approx(0.02)


def test_what_a_step_with_drafts_takes_longer_is_taken_off() -> None:
    assert measured().step(0.014, 1, True, 2) == pytest.approx(0.016)


def test_a_step_without_drafts_loses_nothing_however_long_it_takes() -> None:
    savings = measured()
    assert savings.step(0.03, 1, False, 0) == 0
    assert savings.step(0.01, 1, True, 1) == pytest.approx(0.01)


def test_while_no_step_without_drafts_of_so_many_requests_was_measured_nothing_is_saved() -> None:
    assert Savings().step(0.01, 1, True, 3) == 0
    savings = measured(4)
    assert savings.step(0.01, 3, True, 3) == 0
    assert savings.step(0.01, 7, True, 7) == pytest.approx(0.01)


def test_what_was_lost_is_made_good_first() -> None:
    savings = measured()
    assert savings.step(0.03, 1, True, 0) == 0
    assert savings.step(0.01, 1, True, 1) == 0
    assert savings.step(0.01, 1, True, 3) == pytest.approx(0.02)


def test_of_what_was_lost_so_many_steps_are_kept_in_mind() -> None:
    savings = measured()
    for _ in range(1_000):
        assert savings.step(0.03, 1, True, 0) == 0
    assert savings.step(0.01, 1, True, int(LOST_STEPS_MAX) + 1) == pytest.approx(0.01)


def test_the_first_step_without_drafts_soon_counts_as_one_of_many() -> None:
    savings = measured(seconds=0.05)
    for _ in range(200):
        savings.plain(0.01, 1)
    assert savings.step(0.02, 1, True, 1) < 1e-6


@pytest.mark.parametrize("accepted", [1, 2, 4, 10])
def test_drafts_that_save_as_much_as_they_cost_save_next_to_nothing(accepted: int) -> None:
    rng = random.Random(accepted)
    savings = measured()
    saved = sum(savings.step(0.02, 1, True, accepted * (rng.random() < 1 / accepted)) for _ in range(20_000))
    assert saved < 0.05 * 20_000 * 0.02
