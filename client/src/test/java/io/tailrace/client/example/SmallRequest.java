package io.tailrace.client.example;

import io.tailrace.client.TailraceClient;
import io.tailrace.client.budget.BudgetChoice;
import io.tailrace.client.budget.RequestBudget;
import io.tailrace.client.draft.DraftSource;
import io.tailrace.client.draft.DraftTerms;
import io.tailrace.client.draft.RequestDrafts;
import io.tailrace.client.draft.StepOutcomes;
import io.tailrace.client.report.ServedRequest;
import io.tailrace.client.verification.DecodeResult;
import io.tailrace.client.verification.DecodeTally;
import io.tailrace.client.verification.Verdict;
import io.tailrace.schemas.Finish;
import io.tailrace.suffix.draft.Draft;
import io.tailrace.suffix.draft.DraftPrefix;
import java.util.List;

/** One request of the {@link SmallEngine}. */
final class SmallRequest {
    private final String id;
    private final String scope;
    private final int[] prompt;
    private final int[] answer;
    private final RequestDrafts drafts;
    private final RequestBudget budget;
    private final DraftTerms terms;
    private final DecodeTally tally = new DecodeTally();
    private final Verdict verdict = new Verdict();
    private final DraftPrefix verified = new DraftPrefix();
    private final long startedAtMillis = System.currentTimeMillis();
    private int said;
    private int wanted;

    SmallRequest(
            String id,
            String scope,
            int[] prompt,
            int[] answer,
            RequestDrafts drafts,
            BudgetChoice budgets,
            DraftTerms terms) {
        this.id = id;
        this.scope = scope;
        this.prompt = prompt;
        this.answer = answer;
        this.drafts = drafts;
        this.budget = budgets.begin(terms.costCurve());
        this.terms = terms;
    }

    RequestDrafts drafts() {
        return drafts;
    }

    RequestBudget budget() {
        return budget;
    }

    boolean finished() {
        return said == answer.length;
    }

    /** How much to draft; nobody is asked where the lane does not draft. */
    int wanted(int batch, int tokensMax) {
        int most = Math.min(tokensMax, terms.draftTokensMax());
        wanted = most == 0 ? 0 : budget.draftTokens(batch, most);
        return wanted;
    }

    /** What a model would do in one pass over the batch. */
    void verify(Draft draft, int nodes, long draftNanos) {
        verdict.walk(verified.of(draft, nodes), answer, said);
        said += verdict.length();
        tally.add(verified, verdict, draftNanos);
        if (wanted > 0) {
            budget.learn(draft, nodes, verdict, draftNanos);
        }
    }

    /** What each of them said in its last step. */
    static StepOutcomes outcomes(List<SmallRequest> running) {
        return new StepOutcomes() {
            @Override
            public int[] tokens(int place) {
                return running.get(place).verdict.tokens();
            }

            @Override
            public int count(int place) {
                return running.get(place).verdict.length();
            }
        };
    }

    /** The request as the fleet is to hear of it. */
    ServedRequest end(TailraceClient client, DraftSource source) {
        long version = drafts.snapshotVersion();
        drafts.close();
        return new ServedRequest(
                id,
                client.lane(scope).lane().toLane(),
                client.options().name(),
                client.options().workerClass(),
                source.strategy(),
                prompt,
                client.remembered(scope, prompt, answer),
                prompt.length,
                0f,
                new DecodeResult(answer, tally, version, version),
                null,
                startedAtMillis,
                System.currentTimeMillis(),
                Finish.LENGTH);
    }

    /** How often the model was asked. */
    int steps() {
        return tally.steps();
    }
}
