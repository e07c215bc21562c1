package io.tailrace.client.draft;

import io.tailrace.suffix.draft.Draft;
import java.util.Arrays;

/**
 * Where an engine's drafts come from. One for an engine, used by one thread. It drafts for a whole step at once, and hears of each step's
 * end; an engine makes its steps with a {@link DraftPlan}, so that neither can be left out nor come out of order.
 *
 * <p>A source that wraps another begins the other's requests within its own, and makes the other's steps with a plan of its own.
 */
public interface DraftSource extends AutoCloseable {
    /** Name of the strategy, for outcomes. */
    String strategy();

    /**
     * Begins a request.
     *
     * @param scope its lane's
     * @param prompt its context so far; never changed
     */
    RequestDrafts begin(String scope, int[] prompt);

    /** Drafts for all requests of a step: {@link Step#put puts} a draft, which may be empty, for each; called by {@link DraftPlan#draft}. */
    void draft(Step step);

    /** Hears what became of the step it drafted for last; called by {@link DraftedStep#verified}. */
    void verified(Step step, StepOutcomes outcomes);

    /** Frees what all requests share. */
    @Override
    void close();

    /**
     * One step of a batch, as a source sees it: which requests take part, how much each may draft, and a place for each one's draft. Made by a
     * {@link DraftPlan} and reused; nothing is allocated once the arrays have grown.
     */
    final class Step {
        private enum Stage {
            PLANNED,
            DRAFTING,
            DRAFTED,
            VERIFIED
        }

        private RequestDrafts[] requests = new RequestDrafts[8];
        private int[] budgets = new int[8];
        private float[] probabilityMins = new float[8];
        private Draft[] drafts = new Draft[8];
        private long[] nanos = new long[8];
        private int size;
        private Stage stage = Stage.PLANNED;

        Step() {}

        /** Requests in the step; their places are below it. */
        public int size() {
            return size;
        }

        /**
         * A request of the step.
         *
         * @param type of the source's own requests
         * @throws ClassCastException if another source began it
         */
        public <R extends RequestDrafts> R request(int place, Class<R> type) {
            return type.cast(requests[checked(place)]);
        }

        /** Most nodes, 0 to 64; 0: no draft is wanted. */
        public int budget(int place) {
            return budgets[checked(place)];
        }

        /** Nodes whose path is less likely are of no use, and may be left out. */
        public float probabilityMin(int place) {
            return probabilityMins[checked(place)];
        }

        /**
         * Puts a request's draft into its place.
         *
         * @param draft valid until the source has heard of the step's end
         * @param draftNanos what of the time of drafting was this request's
         */
        public void put(int place, Draft draft, long draftNanos) {
            require(Stage.DRAFTING, "a draft is put while its step is drafted");
            if (draft.size() > budget(place)) {
                throw new IllegalStateException("a draft of %d tokens breaks its budget of %d at place %d"
                        .formatted(draft.size(), budget(place), place));
            }
            drafts[place] = draft;
            nanos[place] = draftNanos;
        }

        /** The draft in a place. */
        public Draft draft(int place) {
            return drafts[checked(place)];
        }

        long nanos(int place) {
            return nanos[checked(place)];
        }

        int add(RequestDrafts request, int budget, float probabilityMin) {
            require(Stage.PLANNED, "the step before must be verified first, by DraftedStep.verified");
            if (size == requests.length) {
                grow();
            }
            requests[size] = request;
            budgets[size] = budget;
            probabilityMins[size] = probabilityMin;
            return size++;
        }

        void draftBy(DraftSource source) {
            require(Stage.PLANNED, "a step is drafted once, and the one before must be verified first");
            stage = Stage.DRAFTING;
            source.draft(this);
            for (int place = 0; place < size; place++) {
                if (drafts[place] == null) {
                    throw new IllegalStateException(
                            "%s put no draft at place %d of %d; put an empty one where there is none"
                                    .formatted(source.strategy(), place, size));
                }
            }
            stage = Stage.DRAFTED;
        }

        void verifiedBy(DraftSource source, StepOutcomes outcomes) {
            end();
            source.verified(this, outcomes);
            clear();
        }

        void emittedBy(DraftSource source, StepOutcomes outcomes) {
            end();
            if (source instanceof FleetDrafts fleet) {
                fleet.emitted(this, outcomes);
            } else {
                source.verified(this, outcomes);
            }
            clear();
        }

        private void end() {
            require(Stage.DRAFTED, "a step is verified once, after it was drafted");
            stage = Stage.VERIFIED;
        }

        private void clear() {
            Arrays.fill(requests, 0, size, null);
            Arrays.fill(drafts, 0, size, null);
            size = 0;
            stage = Stage.PLANNED;
        }

        private void require(Stage needed, String rule) {
            if (stage != needed) {
                throw new IllegalStateException(rule + "; it is " + stage);
            }
        }

        private int checked(int place) {
            if (place < 0 || place >= size) {
                throw new IndexOutOfBoundsException("place must be in [0, " + size + "), got " + place);
            }
            return place;
        }

        private void grow() {
            requests = Arrays.copyOf(requests, 2 * size);
            budgets = Arrays.copyOf(budgets, 2 * size);
            probabilityMins = Arrays.copyOf(probabilityMins, 2 * size);
            drafts = Arrays.copyOf(drafts, 2 * size);
            nanos = Arrays.copyOf(nanos, 2 * size);
        }
    }
}
