package io.tailrace.operators.evaluation;

import io.tailrace.suffix.LaneIndex;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Optional;

/** The live strategy with another budget, or with less memory; everything else is as it is live. */
enum ChoiceVariant {
    /** The request's own context only. */
    OWN_CONTEXT {
        @Override
        LaneIndex index(LaneIndex live) {
            return LaneIndex.EMPTY;
        }
    },
    /** Half the default budget. */
    BUDGET_8 {
        @Override
        int budget(int live) {
            return 8;
        }
    },
    /** Twice the default budget. */
    BUDGET_31 {
        @Override
        int budget(int live) {
            return 31;
        }
    },
    /** A retention of minutes: the newest segment only. */
    NEWEST_ONLY {
        @Override
        LaneIndex index(LaneIndex live) {
            return new LaneIndex(List.of(), live.newest(), live.fresh());
        }
    },
    /** A retention without the oldest segment. */
    WITHOUT_OLDEST {
        @Override
        LaneIndex index(LaneIndex live) {
            int older = live.older().size();
            return older == 0 ? live : new LaneIndex(live.older().subList(1, older), live.newest(), live.fresh());
        }
    };

    LaneIndex index(LaneIndex live) {
        return live;
    }

    int budget(int live) {
        return live;
    }

    static Optional<ChoiceVariant> named(String name) {
        return Arrays.stream(values())
                .filter(variant -> variant.toString().equals(name))
                .findFirst();
    }

    /** As options and manifests write it: {@code own-context}. */
    @Override
    public String toString() {
        return name().toLowerCase(Locale.ROOT).replace('_', '-');
    }
}
