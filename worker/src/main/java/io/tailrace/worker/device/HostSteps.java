package io.tailrace.worker.device;

import io.tailrace.client.draft.DraftPlan;
import io.tailrace.client.draft.DraftSource;
import io.tailrace.client.draft.DraftedStep;
import io.tailrace.client.draft.RequestDrafts;
import io.tailrace.client.draft.StepOutcomes;
import java.util.Arrays;

/** The part of each step that the host drafts for: requests that the device has not, or has no more. One thread. */
final class HostSteps {
    private final DraftPlan plan;
    private final Outcomes outcomes = new Outcomes();
    /** By the host's places those of the whole step. */
    private int[] places = new int[8];

    private int size;
    private DraftedStep drafted;

    HostSteps(DraftSource host) {
        plan = new DraftPlan(host);
    }

    void begin() {
        size = 0;
    }

    /** Adds the request at a place of the whole step. */
    void add(int place, RequestDrafts request, DraftSource.Step whole) {
        if (size == places.length) {
            places = Arrays.copyOf(places, 2 * size);
        }
        places[size++] = place;
        plan.add(request, whole.budget(place), whole.probabilityMin(place));
    }

    /** Drafts, and puts the drafts where they belong. */
    void draft(DraftSource.Step whole) {
        drafted = plan.draft();
        for (int i = 0; i < size; i++) {
            whole.put(places[i], drafted.draft(i), drafted.nanos(i));
        }
    }

    void verified(StepOutcomes ofWhole) {
        outcomes.whole = ofWhole;
        drafted.verified(outcomes);
    }

    private final class Outcomes implements StepOutcomes {
        private StepOutcomes whole;

        @Override
        public int[] tokens(int place) {
            return whole.tokens(places[place]);
        }

        @Override
        public int count(int place) {
            return whole.count(places[place]);
        }
    }
}
