package io.tailrace.lab.bench.saguaro;

import io.tailrace.lab.replay.ReplayCase;
import io.tailrace.worker.model.Logits;
import io.tailrace.worker.model.ModelSequence;
import io.tailrace.worker.model.TargetModel;
import io.tailrace.worker.model.TreeInput;
import java.util.Arrays;
import java.util.List;

/** Has a model and its draft source read recorded text and tells a {@link SaguaroTrade} what both expected at each place of the answers. */
public final class SaguaroBench {
    private SaguaroBench() {}

    /**
     * Reads every request.
     *
     * @param draft of the same vocabulary
     * @param temperature at which the answers were drawn, above 0
     */
    public static void run(
            TargetModel model, TargetModel draft, List<ReplayCase> cases, double temperature, SaguaroTrade into) {
        if (!(temperature > 0)) {
            throw new IllegalArgumentException("temperature must be > 0, got " + temperature);
        }
        for (ReplayCase request : cases) {
            read(model, draft, request, temperature, into);
        }
    }

    private static void read(
            TargetModel model, TargetModel draft, ReplayCase request, double temperature, SaguaroTrade into) {
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
                into.add(p, distribution(drafted, place, temperature, logits));
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
}
