package io.tailrace.lab.bench.budget;

import io.tailrace.client.budget.BudgetChoice;
import io.tailrace.client.budget.RequestBudget;
import io.tailrace.client.draft.DraftPlan;
import io.tailrace.client.draft.DraftedStep;
import io.tailrace.client.draft.RequestDrafts;
import io.tailrace.client.draft.StepOutcomes;
import io.tailrace.client.draft.internal.AdaptiveMaker;
import io.tailrace.client.draft.internal.LaneDrafts;
import io.tailrace.client.draft.internal.LaneMakers;
import io.tailrace.client.follow.internal.LiveSnapshot;
import io.tailrace.client.follow.internal.LoadedSnapshot;
import io.tailrace.client.verification.Verdict;
import io.tailrace.lab.recorded.RecordedRequest;
import io.tailrace.lab.replay.ReplayLane;
import io.tailrace.suffix.LaneIndex;
import io.tailrace.suffix.RememberedAnswer;
import io.tailrace.suffix.cost.CostCurve;
import io.tailrace.suffix.cost.CostFit;
import io.tailrace.suffix.draft.Draft;
import io.tailrace.suffix.draft.DraftPolicy;
import io.tailrace.suffix.draft.DraftPrefix;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.Iterator;
import java.util.List;
import java.util.Random;
import java.util.Set;
import java.util.function.Supplier;

/** Decodes recorded requests, so many at a time, with a simulated clock. Each answer joins the lane when it is complete. */
final class BudgetBench {
    private static final long SEED = 7;
    private static final String SCOPE = "";
    /** One step in so many takes twice its time: a pause. */
    private static final int PAUSE_STEPS = 40;
    /** Between two spells in which something else runs on the machine and all steps take longer: so many steps, on average. */
    private static final double QUIET_STEPS = 200;

    private static final double SPELL_STEPS = 30;
    /** A step takes from so much to that many times as long in a spell. */
    private static final double SPELL_LEAST = 1.15;

    private static final double SPELL_MOST = 1.75;
    /** An engine prepares for a shape of step when it first comes, which makes that step so many times as long, or more, ... */
    private static final double PREPARING_LEAST = 1.5;
    /** ... up to so many. */
    private static final double PREPARING_MOST = 3;

    private final StepCost cost;
    private final double noise;
    private final int budget;
    private final int batch;

    /**
     * What a step takes.
     *
     * @param baseNanos whatever it verifies
     * @param rowNanos for each token that it computes: draft tokens and the one before them
     */
    record StepCost(long baseNanos, long rowNanos) {
        long nanos(int rows) {
            return baseNanos + rowNanos * rows;
        }
    }

    /**
     * What a run came to.
     *
     * @param nanos simulated, without noise
     * @param steps of the whole batch
     * @param requestSteps the same, each counted once for every request in it
     */
    record Run(long nanos, long tokens, long steps, long requestSteps, long drafted) {
        double tokensPerStep() {
            return (double) tokens / requestSteps;
        }

        double draftedPerStep() {
            return (double) drafted / requestSteps;
        }
    }

    /**
     * Runs at one cost.
     *
     * @param noise of measured times, the standard deviation of their logarithm; 0: none, no pauses, spells and preparations
     * @param budget most draft tokens of a request and step
     * @param batch requests at a time
     */
    BudgetBench(StepCost cost, double noise, int budget, int batch) {
        this.cost = cost;
        this.noise = noise;
        this.budget = budget;
        this.batch = batch;
    }

    /** Decodes requests by a budget that begins anew; the lane knows the answers before them. */
    Run run(List<RecordedRequest> known, List<RecordedRequest> asked, Supplier<BudgetChoice> budgets) {
        return new Decoding(known, asked, budgets.get(), false).run();
    }

    /** The same in a fleet, which makes a curve of the step times that each request reports at its end, and announces it to those that begin later. */
    Run runReporting(List<RecordedRequest> known, List<RecordedRequest> asked, Supplier<BudgetChoice> budgets) {
        return new Decoding(known, asked, budgets.get(), true).run();
    }

    /** A request that is being answered. */
    private static final class Running {
        private final RecordedRequest request;
        private final RequestDrafts drafts;
        private final RequestBudget share;
        private final DraftPrefix verified = new DraftPrefix();
        private final Verdict verdict = new Verdict();
        private final List<CostCurve.Point> steps = new ArrayList<>();
        private int said;
        private int wanted;

        Running(RecordedRequest request, RequestDrafts drafts, RequestBudget share) {
            this.request = request;
            this.drafts = drafts;
            this.share = share;
        }

        boolean over() {
            return said == request.response().length;
        }
    }

    private final class Decoding {
        private final ReplayLane lane = new ReplayLane();
        private final LiveSnapshot live = new LiveSnapshot(snapshot(0, LaneIndex.EMPTY));
        private final LaneDrafts source =
                new LaneDrafts("adaptive", scope -> live, new LaneMakers(batch, () -> new AdaptiveMaker(true, false)));
        private final DraftPlan plan = new DraftPlan(source);
        private final BudgetChoice choice;
        private final Iterator<RecordedRequest> waiting;
        private final List<Running> running = new ArrayList<>();
        private final List<Draft> drafts = new ArrayList<>();
        private final List<RequestBudget> shares = new ArrayList<>();
        private final int[] nodes = new int[batch];
        private final Disturbance disturbance = new Disturbance();
        private final boolean reports;
        private final CostFit reported = new CostFit();
        private CostCurve announced = CostCurve.UNKNOWN;
        private final StepOutcomes outcomes = new StepOutcomes() {
            @Override
            public int[] tokens(int place) {
                return running.get(place).verdict.tokens();
            }

            @Override
            public int count(int place) {
                return running.get(place).verdict.length();
            }
        };
        private long version;
        private long nanos;
        private long tokens;
        private long steps;
        private long requestSteps;
        private long drafted;

        private static RememberedAnswer answer(RecordedRequest request) {
            return RememberedAnswer.of(request.prompt(), RememberedAnswer.TAIL_TOKENS, request.response());
        }

        Decoding(List<RecordedRequest> known, List<RecordedRequest> asked, BudgetChoice choice, boolean reports) {
            this.choice = choice;
            this.reports = reports;
            this.waiting = asked.iterator();
            known.forEach(request -> lane.add(answer(request)));
            live.swap(snapshot(++version, lane.index()));
        }

        Run run() {
            while (begin()) {
                step();
                end();
            }
            source.close();
            return new Run(nanos, tokens, steps, requestSteps, drafted);
        }

        /** Whether there is anything to do. */
        private boolean begin() {
            while (running.size() < batch && waiting.hasNext()) {
                RecordedRequest request = waiting.next();
                running.add(new Running(request, source.begin(SCOPE, request.prompt()), choice.begin(announced)));
            }
            return !running.isEmpty();
        }

        private void step() {
            drafts.clear();
            shares.clear();
            for (Running each : running) {
                each.wanted = each.share.draftTokens(running.size(), budget);
                plan.add(each.drafts, each.wanted, each.wanted == 0 ? 0 : each.share.probabilityMin());
                shares.add(each.share);
            }
            DraftedStep step = plan.draft();
            for (int place = 0; place < running.size(); place++) {
                drafts.add(step.draft(place));
            }
            choice.trim(drafts, shares, Integer.MAX_VALUE, nodes);
            int rows = verify();
            long took = cost.nanos(rows);
            nanos += took;
            steps++;
            measured(rows, Math.round(took * disturbance.next(running.size(), rows)));
            learn();
            step.verified(outcomes);
        }

        private void measured(int rows, long measuredNanos) {
            choice.measured(running.size(), rows, measuredNanos);
            CostCurve.Point point = new CostCurve.Point(running.size(), rows, measuredNanos / 1_000.0);
            running.forEach(request -> request.steps.add(point));
        }

        private void report(Running ended) {
            for (CostCurve.Point point : ended.steps) {
                reported.add(point.batch(), point.verifiedTokens(), 1, point.micros());
            }
            announced = CostCurve.of(reported.points());
        }

        private int verify() {
            int rows = running.size();
            for (int place = 0; place < running.size(); place++) {
                Running each = running.get(place);
                Draft cut = each.verified.of(drafts.get(place), nodes[place]);
                each.verdict.walk(cut, each.request.response(), each.said);
                each.said += each.verdict.length();
                rows += nodes[place];
                drafted += nodes[place];
                requestSteps++;
            }
            return rows;
        }

        /** Drafting is charged nothing: a clock that is not simulated must not change what is drafted. */
        private void learn() {
            for (int place = 0; place < running.size(); place++) {
                Running each = running.get(place);
                if (each.wanted > 0) {
                    each.share.learn(drafts.get(place), nodes[place], each.verdict, 0);
                }
            }
        }

        private void end() {
            for (Running each : running) {
                if (each.over()) {
                    each.drafts.close();
                    tokens += each.said;
                    lane.add(answer(each.request));
                    live.swap(snapshot(++version, lane.index()));
                    if (reports) {
                        report(each);
                    }
                }
            }
            running.removeIf(Running::over);
        }
    }

    /** What the rest of a machine does to the times of steps. */
    private final class Disturbance {
        private final Random random = new Random(SEED);
        private double pace = 1;
        private long left = steps(QUIET_STEPS);
        private final Set<CostCurve.Point> prepared = new HashSet<>();

        /** How many times as long a step takes as it should. */
        double next(int requests, int rows) {
            if (noise == 0) {
                return 1;
            }
            if (left-- <= 0) {
                boolean begins = pace == 1;
                pace = begins ? SPELL_LEAST + (SPELL_MOST - SPELL_LEAST) * random.nextDouble() : 1;
                left = steps(begins ? SPELL_STEPS : QUIET_STEPS);
            }
            double preparing = prepared.add(new CostCurve.Point(requests, rows, 0))
                    ? PREPARING_LEAST + (PREPARING_MOST - PREPARING_LEAST) * random.nextDouble()
                    : 1;
            double pause = random.nextInt(PAUSE_STEPS) == 0 ? 2 : 1;
            return pace * preparing * pause * Math.exp(noise * random.nextGaussian());
        }

        private long steps(double mean) {
            return Math.round(-mean * Math.log(1 - random.nextDouble()));
        }
    }

    private static LoadedSnapshot snapshot(long version, LaneIndex index) {
        return new LoadedSnapshot(version, DraftPolicy.unannounced(), index, () -> {});
    }
}
