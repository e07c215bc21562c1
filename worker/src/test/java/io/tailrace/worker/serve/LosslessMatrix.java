package io.tailrace.worker.serve;

import static org.assertj.core.api.Assertions.assertThat;

import io.tailrace.client.budget.BudgetChoice;
import io.tailrace.client.draft.DraftTerms;
import io.tailrace.client.draft.internal.NoDrafts;
import io.tailrace.client.follow.internal.LiveSnapshot;
import io.tailrace.client.follow.internal.LoadedSnapshot;
import io.tailrace.suffix.LaneIndex;
import io.tailrace.suffix.draft.DraftPolicy;
import io.tailrace.suffix.segment.FreshIndex;
import io.tailrace.worker.engine.Answer;
import io.tailrace.worker.engine.DecodeEngine;
import io.tailrace.worker.engine.DecodeRequest;
import io.tailrace.worker.engine.EngineDrafts;
import io.tailrace.worker.engine.EngineOptions;
import io.tailrace.worker.engine.EngineParts;
import io.tailrace.worker.engine.TokenLogprob;
import io.tailrace.worker.model.LetterTokenizer;
import io.tailrace.worker.model.Logits;
import io.tailrace.worker.model.ModelSequence;
import io.tailrace.worker.model.TargetModel;
import io.tailrace.worker.model.TreeInput;
import io.tailrace.worker.sampling.SamplingParameters;
import io.tailrace.worker.sampling.TokenSampler;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;

/**
 * The same requests decoded plainly and with every draft source that serving offers, while snapshots are swapped under them: the
 * tokens must be the same. Other batch shapes sum in another order, so a first difference is allowed where the two best choices are
 * closer than {@value #TIE_MAX}, and counted.
 */
final class LosslessMatrix {
    static final double TIE_MAX = 1e-4;
    private static final int SWAP_EVERY = 5;
    private static final List<String> STRATEGIES = List.of(
            "adaptive",
            "adaptive:candidates=0",
            "adaptive:candidates=8",
            "adaptive:tree=false",
            "adaptive:tree=false:candidates=3",
            "prompt-lookup",
            "token-recycling",
            "suffix-decoding",
            "suffix-decoding:tree=false",
            "sam-decoding",
            "sam-decoding:tree=true",
            "draft-model:layers=1",
            "draft-model:layers=2:tokens=7",
            "draft-model:layers=1:speculate=6",
            "draft-model:layers=2:tokens=3:speculate=14",
            "hybrid:threshold=0.5:layers=1",
            "hybrid:threshold=0.5:layers=1:speculate=5",
            "hybrid:threshold=1:otherwise=token-recycling");

    private final TargetModel model;
    private final List<String> strategies = new ArrayList<>(STRATEGIES);
    private final List<DecodeRequest> requests;
    private final List<int[]> plain = new ArrayList<>();
    private int nearTies;
    private long answers;
    private long accepted;
    private int swaps;

    /**
     * A matrix over greedy and sampled requests with these prompts.
     *
     * @param draftModel folder of a model that drafts, too
     */
    LosslessMatrix(TargetModel model, Path draftModel, List<int[]> prompts, int tokensMax) {
        this.model = model;
        strategies.add("draft-model:dir=" + draftModel);
        strategies.add("draft-model:tokens=3:speculate=8:dir=" + draftModel);
        strategies.add("hybrid:threshold=2:dir=" + draftModel);
        this.requests = requests(prompts, tokensMax);
    }

    private static List<DecodeRequest> requests(List<int[]> prompts, int tokensMax) {
        List<DecodeRequest> requests = new ArrayList<>();
        for (int i = 0; i < prompts.size(); i++) {
            SamplingParameters[] samplings = {
                SamplingParameters.GREEDY,
                new SamplingParameters(0.8f, i % 2 == 0 ? 0 : 40, i % 3 == 0 ? 1 : 0.9f, i + 1)
            };
            for (SamplingParameters sampling : samplings) {
                requests.add(new DecodeRequest(
                        "request-" + requests.size(),
                        "scope",
                        prompts.get(i),
                        tokensMax,
                        sampling,
                        List.of(),
                        true,
                        true));
            }
        }
        return requests;
    }

    /** Runs every strategy at batch 1 and 8. */
    void run() throws Exception {
        plain.addAll(decode(EngineDrafts.of(new NoDrafts()), BudgetChoice.fixed(), 1, () -> {}));
        accepted = 0;
        for (String strategy : strategies) {
            for (int batch : new int[] {1, 8}) {
                run(strategy, batch, false);
            }
        }
        run("adaptive:candidates=0", 8, true);
        run("adaptive:candidates=8", 8, true);
        System.out.printf(
                "%d answers with drafts equal plain decoding; near ties %d, snapshots swapped %d times, %d draft tokens accepted%n",
                answers, nearTies, swaps, accepted);
        assertThat(accepted).isPositive();
        assertThat(swaps).isPositive();
        assertThat(nearTies).isLessThanOrEqualTo((int) (answers / 100));
    }

    private void run(String strategy, int batch, boolean measured) throws Exception {
        BudgetChoice budget = measured ? BudgetChoice.measured() : BudgetChoice.fixed();
        LiveSnapshot live = new LiveSnapshot(snapshot(0));
        int[] called = {0};
        long before = accepted;
        EngineDrafts drafts = DraftSources.create(new DraftOptions(strategy, false), model, scope -> live, batch);
        List<int[]> outputs = decode(drafts, budget, batch, () -> {
            if (++called[0] % SWAP_EVERY == 0) {
                live.swap(snapshot(called[0]));
                swaps++;
            }
        });
        for (int i = 0; i < outputs.size(); i++) {
            requireSame(strategy, batch, requests.get(i), plain.get(i), outputs.get(i));
        }
        assertThat(measured || accepted > before)
                .as("%s drafts something that is right, batch %d", strategy, batch)
                .isTrue();
    }

    /** Nothing, half of the answers, or all of them. */
    private LoadedSnapshot snapshot(int version) {
        List<int[]> told = plain.subList(0, plain.size() * (version / SWAP_EVERY % 3) / 2);
        LaneIndex index =
                told.isEmpty() ? LaneIndex.EMPTY : new LaneIndex(List.of(), FreshIndex.of(List.copyOf(told)), null);
        return new LoadedSnapshot(version, DraftPolicy.defaults(), index, () -> {});
    }

    /** Outputs in the order of the requests; {@code step} runs in the decode thread whenever a request gets tokens. */
    private List<int[]> decode(EngineDrafts drafts, BudgetChoice budget, int batch, Runnable step) throws Exception {
        EngineParts parts = new EngineParts(
                model,
                new LetterTokenizer(),
                new int[] {2},
                drafts,
                scope -> DraftTerms.NONE,
                budget,
                EngineParts.Listener.NONE);
        EngineOptions options = EngineOptions.defaults().withBatchMax(batch).withQueuedMax(requests.size());
        List<CompletableFuture<Answer>> held = new ArrayList<>();
        try (DecodeEngine engine = DecodeEngine.start("lossless", parts, options)) {
            for (DecodeRequest request : requests) {
                CompletableFuture<Answer> answer = new CompletableFuture<>();
                held.add(answer);
                engine.submit(request, new Held(answer, step));
            }
            List<int[]> outputs = new ArrayList<>();
            for (CompletableFuture<Answer> answer : held) {
                Answer ended = answer.get(120, TimeUnit.SECONDS);
                accepted += ended.decoded().tally().accepted();
                outputs.add(ended.decoded().output());
            }
            return outputs;
        }
    }

    private record Held(CompletableFuture<Answer> answer, Runnable step) implements Answer.Sink {
        @Override
        public void tokens(int[] tokens, int count, String text, List<TokenLogprob> logprobs) {
            step.run();
        }

        @Override
        public void finished(Answer ended) {
            answer.complete(ended);
        }

        @Override
        public void failed(Throwable cause) {
            answer.completeExceptionally(cause);
        }
    }

    private void requireSame(String strategy, int batch, DecodeRequest request, int[] expected, int[] output) {
        answers++;
        int at = Arrays.mismatch(expected, output);
        if (at < 0) {
            return;
        }
        double margin =
                at < Math.min(expected.length, output.length) ? margin(request, expected, at) : Double.MAX_VALUE;
        assertThat(margin)
                .as("%s, batch %d, %s, %s: differs at token %d", strategy, batch, request.id(), request.sampling(), at)
                .isLessThan(TIE_MAX);
        nearTies++;
    }

    /** How far the choice of the token at a position is ahead of the second best. */
    private double margin(DecodeRequest request, int[] output, int at) {
        int[] prompt = request.prompt();
        int[] context = Arrays.copyOf(prompt, prompt.length + at);
        System.arraycopy(output, 0, context, prompt.length, at);
        float[] row = new float[model.vocabularySize()];
        try (ModelSequence sequence = model.open()) {
            Logits logits = model.forward(List.of(TreeInput.line(sequence, context, context.length - 1)));
            logits.copy(0, context.length - 1, row);
        }
        TokenSampler sampler = new TokenSampler();
        sampler.sample(request.sampling(), row, row.length, at);
        return sampler.margin();
    }
}
