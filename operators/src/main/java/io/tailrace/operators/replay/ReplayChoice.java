package io.tailrace.operators.replay;

import io.tailrace.suffix.lane.LaneIndex;
import java.util.List;
import java.util.Locale;

/** What a replay can count beside the live choice, each for the price of one more replay: other budgets, less memory. */
public enum ReplayChoice {
    /** The request's own context only. */
    OWN_CONTEXT(16) {
        @Override
        LaneIndex of(LaneIndex index) {
            return LaneIndex.EMPTY;
        }
    },
    /** Half the default budget. */
    BUDGET_8(8),
    /** Twice the default budget. */
    BUDGET_31(31),
    /** A retention of minutes: the newest segment only. */
    NEWEST_ONLY(16) {
        @Override
        LaneIndex of(LaneIndex index) {
            return new LaneIndex(List.of(), index.newest(), index.fresh());
        }
    },
    /** A retention without the oldest segment. */
    WITHOUT_OLDEST(16) {
        @Override
        LaneIndex of(LaneIndex index) {
            int older = index.older().size();
            return older == 0 ? index : new LaneIndex(index.older().subList(1, older), index.newest(), index.fresh());
        }
    };

    private final int budget;

    ReplayChoice(int budget) {
        this.budget = budget;
    }

    LaneIndex of(LaneIndex index) {
        return index;
    }

    int budget() {
        return budget;
    }

    /** As options and manifests write it: {@code own-context}. */
    @Override
    public String toString() {
        return name().toLowerCase(Locale.ROOT).replace('_', '-');
    }
}
