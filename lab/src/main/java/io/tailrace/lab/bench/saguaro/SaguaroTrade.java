package io.tailrace.lab.bench.saguaro;

import io.tailrace.lab.replay.ReplayCase;
import io.tailrace.worker.model.Logits;
import io.tailrace.worker.model.ModelSequence;
import io.tailrace.worker.model.TargetModel;
import io.tailrace.worker.model.TreeInput;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/**
 * Adds up, place by place, how often a drafted token would be accepted and how often the model's own token would be one of the F that
 * a cache prepares for, under three rules.
 *
 * <ul>
 *   <li><b>speculative</b>: a token drawn from the draft source's q is accepted with min(1, p / q), else the model's own comes from the
 *       residual. The cache holds the F likeliest of q.
 *   <li><b>Saguaro</b>: the same with q scaled down on those F by a factor C ({@link Sampling}); C = 1 is the rule before.
 *   <li><b>sample once</b>, Tailrace's: the likeliest of q is drafted, the model's own token drawn from p, and the draft followed if it
 *       carries that token. The cache holds the F likeliest of q that are not drafted.
 * </ul>
 *
 * <p>All three give text distributed as p. Each place's shares are exact, so that nothing is drawn here; a text drawn from p makes
 * the mean over its places that of a server.
 */
public final class SaguaroTrade {
    private final int cached;
    private final double[] factors;
    private final Sums[] scaled;
    private final Sums once = new Sums();
    private double endHits;
    private long places;

    /** Sums of one rule. */
    private static final class Sums {
        double accepted;
        double foreseen;
    }

    /**
     * One rule, a line of so many drafted tokens, shares taken as independent of each other.
     *
     * @param rule speculative, saguaro or sample-once
     * @param factor C; null for sample-once
     * @param acceptance share of drafted tokens that are accepted
     * @param hitsAfterRejection share of rejections whose own token the cache has
     * @param tokensPerVerification the model's own included
     * @param hitRate share of verifications whose ending the cache has
     * @param tokensPerStepTime tokens in the time of a verification, a miss waiting for its draft
     */
    public record Row(
            String rule,
            Double factor,
            double acceptance,
            double hitsAfterRejection,
            double tokensPerVerification,
            double hitRate,
            double tokensPerStepTime) {}

    /**
     * A trade to add up.
     *
     * @param cached F, tokens prepared at each place, at least 1
     * @param factors C of each Saguaro row, 0 to 1
     */
    public SaguaroTrade(int cached, double[] factors) {
        if (cached < 1) {
            throw new IllegalArgumentException("cached must be >= 1, got " + cached);
        }
        this.cached = cached;
        this.factors = factors.clone();
        this.scaled = new Sums[factors.length];
        Arrays.setAll(scaled, i -> new Sums());
    }

    /**
     * Has a model and its draft source read requests, and adds every place of the answers.
     *
     * @param draft of the same vocabulary
     * @param temperature at which the answers were drawn, above 0
     */
    public void read(TargetModel model, TargetModel draft, List<ReplayCase> cases, double temperature) {
        if (!(temperature > 0)) {
            throw new IllegalArgumentException("temperature must be > 0, got " + temperature);
        }
        for (ReplayCase request : cases) {
            read(model, draft, request, temperature);
        }
    }

    private void read(TargetModel model, TargetModel draft, ReplayCase request, double temperature) {
        int from = Math.max(1, request.prompt().length);
        int[] text = Arrays.copyOf(request.prompt(), request.prompt().length + request.response().length);
        System.arraycopy(request.response(), 0, text, request.prompt().length, request.response().length);
        int[] line = Arrays.copyOf(text, Math.min(text.length - 1, model.contextTokensMax()));
        if (line.length < from) {
            return;
        }
        try (ModelSequence read = model.open();
                ModelSequence draftRead = draft.open()) {
            Logits expected = model.forward(List.of(TreeInput.line(read, line, from - 1)));
            Logits drafted = draft.forward(List.of(TreeInput.line(draftRead, line, from - 1)));
            float[] logits = new float[model.vocabularySize()];
            for (int place = from - 1; place < line.length; place++) {
                double[] p = distribution(expected, place, temperature, logits);
                add(p, distribution(drafted, place, temperature, logits));
            }
        }
    }

    private static double[] distribution(Logits of, int place, double temperature, float[] logits) {
        of.copy(0, place, logits);
        double most = Double.NEGATIVE_INFINITY;
        for (float logit : logits) {
            most = Math.max(most, logit);
        }
        double[] shares = new double[logits.length];
        double sum = 0;
        for (int token = 0; token < logits.length; token++) {
            shares[token] = Math.exp((logits[token] - most) / temperature);
            sum += shares[token];
        }
        for (int token = 0; token < logits.length; token++) {
            shares[token] /= sum;
        }
        return shares;
    }

    /** Adds a place: the model's distribution there and the draft source's, over the same tokens, more than F of them. */
    public void add(double[] p, double[] q) {
        int[] likeliest = Sampling.likeliest(q, cached + 1);
        int[] top = Arrays.copyOf(likeliest, cached);
        for (int i = 0; i < factors.length; i++) {
            double[] drafted = Sampling.scaled(q, cached, factors[i]);
            double acceptance = Sampling.acceptance(p, drafted);
            scaled[i].accepted += acceptance;
            scaled[i].foreseen += (1 - acceptance) * Sampling.hitAfterRejection(p, drafted, top);
        }
        double atTop = Arrays.stream(top).mapToDouble(token -> p[token]).sum();
        once.accepted += p[likeliest[0]];
        once.foreseen += atTop - p[likeliest[0]] + p[likeliest[cached]];
        endHits += atTop;
        places++;
    }

    public long places() {
        return places;
    }

    /**
     * What lines of drafted tokens would give.
     *
     * @param line K, tokens of a line, at least 1
     * @param draftSteps time of a draft that is waited for, in verifications
     */
    public List<Row> rows(int line, double draftSteps) {
        List<Row> rows = new ArrayList<>();
        for (int i = 0; i < factors.length; i++) {
            rows.add(row(factors[i] == 1 ? "speculative" : "saguaro", factors[i], scaled[i], line, draftSteps));
        }
        rows.add(row("sample-once", null, once, line, draftSteps));
        return rows;
    }

    private Row row(String rule, Double factor, Sums sums, int line, double draftSteps) {
        double acceptance = sums.accepted / places;
        double rejected = places - sums.accepted;
        double hits = rejected <= 0 ? 0 : sums.foreseen / rejected;
        double tokens = 1;
        double reached = 1;
        for (int k = 0; k < line; k++) {
            reached *= acceptance;
            tokens += reached;
        }
        double hitRate = (1 - reached) * hits + reached * endHits / places;
        return new Row(rule, factor, acceptance, hits, tokens, hitRate, tokens / (1 + (1 - hitRate) * draftSteps));
    }

    /**
     * Sampling from a draft source so that the cache is hit more often (Saguaro sampling).
     *
     * <p>With sampled text a drafted token x from q is accepted with probability min(1, p(x) / q(x)), else the model's own token
     * comes from the residual, max(0, p - q) normed. The cache holds the F likeliest tokens of q: just those that the residual
     * avoids, as q is large there. Scaling q down on them by a constant C moves residual mass onto them, so that more misses of the
     * draft are hits of the cache; the price is a lower acceptance. What comes out is distributed as p for every q, so also for
     * the scaled one: C = 1 changes nothing, C = 0 drafts none of the F tokens.
     *
     * <p>Workers verify by another rule, under which there is nothing to trade (docs/decisions/0009); this is for measuring.
     */
    public static final class Sampling {
        private Sampling() {}

        /**
         * The scaled distribution: the {@code top} likeliest tokens of q times {@code factor}, normed. Equal ones count in order.
         *
         * @param top F, 0 to the number of tokens
         * @param factor C, 0 to 1
         * @return sums up to 1; q itself if nothing would be left
         */
        public static double[] scaled(double[] q, int top, double factor) {
            if (!(factor >= 0 && factor <= 1) || top < 0 || top > q.length) {
                throw new IllegalArgumentException(
                        "factor must be in [0, 1] and top in [0, " + q.length + "], got " + factor + " and " + top);
            }
            double[] scaled = q.clone();
            for (int token : likeliest(q, top)) {
                scaled[token] *= factor;
            }
            double sum = Arrays.stream(scaled).sum();
            if (sum == 0) {
                return q.clone();
            }
            for (int token = 0; token < scaled.length; token++) {
                scaled[token] /= sum;
            }
            return scaled;
        }

        /** The likeliest tokens, likeliest first, the lower one among equals. */
        public static int[] likeliest(double[] q, int top) {
            int[] likeliest = new int[Math.min(top, q.length)];
            boolean[] taken = new boolean[q.length];
            for (int i = 0; i < likeliest.length; i++) {
                int best = -1;
                for (int token = 0; token < q.length; token++) {
                    if (!taken[token] && (best < 0 || q[token] > q[best])) {
                        best = token;
                    }
                }
                taken[best] = true;
                likeliest[i] = best;
            }
            return likeliest;
        }

        /** Probability that a token drafted from {@code drafted} is accepted: the mass that p and it share. */
        public static double acceptance(double[] p, double[] drafted) {
            double shared = 0;
            for (int token = 0; token < p.length; token++) {
                shared += Math.min(p[token], drafted[token]);
            }
            return shared;
        }

        /** What the model's own token is drawn from after a rejection; p where nothing is ever rejected. */
        public static double[] residual(double[] p, double[] drafted) {
            double[] residual = new double[p.length];
            double sum = 0;
            for (int token = 0; token < p.length; token++) {
                residual[token] = Math.max(0, p[token] - drafted[token]);
                sum += residual[token];
            }
            if (sum == 0) {
                return p.clone();
            }
            for (int token = 0; token < p.length; token++) {
                residual[token] /= sum;
            }
            return residual;
        }

        /** Probability that the model's own token after a rejection is one of the cached ones. */
        public static double hitAfterRejection(double[] p, double[] drafted, int[] cached) {
            double[] residual = residual(p, drafted);
            return Arrays.stream(cached).mapToDouble(token -> residual[token]).sum();
        }
    }
}
