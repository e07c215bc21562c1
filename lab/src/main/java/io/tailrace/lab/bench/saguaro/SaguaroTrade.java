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
 *   <li><b>Saguaro</b>: the same with q scaled down on those F by a factor C ({@link SaguaroSampling}); C = 1 is the rule before.
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
        int[] likeliest = SaguaroSampling.likeliest(q, cached + 1);
        int[] top = Arrays.copyOf(likeliest, cached);
        for (int i = 0; i < factors.length; i++) {
            double[] drafted = SaguaroSampling.scaled(q, cached, factors[i]);
            double acceptance = SaguaroSampling.acceptance(p, drafted);
            scaled[i].accepted += acceptance;
            scaled[i].foreseen += (1 - acceptance) * SaguaroSampling.hitAfterRejection(p, drafted, top);
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
}
