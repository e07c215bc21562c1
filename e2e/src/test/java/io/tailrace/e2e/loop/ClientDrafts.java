package io.tailrace.e2e.loop;

import io.tailrace.client.ClientOptions;
import io.tailrace.client.KafkaAccess;
import io.tailrace.client.ReportingOptions;
import io.tailrace.client.TailraceClient;
import io.tailrace.client.draft.DraftPlan;
import io.tailrace.client.draft.DraftSource;
import io.tailrace.client.draft.DraftedStep;
import io.tailrace.client.draft.RequestDrafts;
import io.tailrace.client.draft.StepOutcomes;
import io.tailrace.client.follow.FollowOptions;
import io.tailrace.client.follow.internal.LoadedSnapshot;
import io.tailrace.client.follow.internal.ServedLane;
import io.tailrace.suffix.LaneIndex;
import io.tailrace.suffix.draft.Draft;
import java.io.IOException;
import java.net.URI;
import java.nio.file.Path;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Function;

/** A client that follows a loop and is asked what it would draft; it serves nothing and reports nothing. */
final class ClientDrafts implements AutoCloseable {
    private static final int BUDGET = 64;

    private final TailraceClient client;
    private final DraftSource source;
    private final DraftPlan plan;

    private ClientDrafts(TailraceClient client) {
        this.client = client;
        this.source = client.drafts(1);
        this.plan = new DraftPlan(source);
    }

    /** @param store with the segments; a client that finds none there drafts from fresh answers alone */
    static ClientDrafts follow(String name, String bootstrap, URI store, Path cache) throws IOException {
        TailraceClient client = TailraceClient.open(new ClientOptions(
                name,
                "cpu",
                Fleet.MODEL,
                FollowOptions.of(store, cache),
                Optional.empty(),
                Optional.of(ReportingOptions.unspooled(KafkaAccess.of(bootstrap)))));
        client.start();
        return new ClientDrafts(client);
    }

    /** Tokens of a whole draft for a request that has come to this point of its prompt. */
    Set<Integer> behind(String scope, int... context) {
        Set<Integer> drafted = new TreeSet<>();
        try (RequestDrafts request = source.begin(scope, context)) {
            plan.add(request, BUDGET, 0);
            DraftedStep step = plan.draft();
            Draft draft = step.draft(0);
            for (int node = 0; node < draft.size(); node++) {
                drafted.add(draft.token(node));
            }
            step.verified(new StepOutcomes() {
                @Override
                public int[] tokens(int place) {
                    return new int[1];
                }

                @Override
                public int count(int place) {
                    return 1;
                }
            });
        }
        return drafted;
    }

    /** What is looked into for drafts in a scope, now. */
    <T> T inside(String scope, Function<LaneIndex, T> look) {
        LoadedSnapshot snapshot = ServedLane.of(client.lane(scope)).live().lease();
        try {
            return look.apply(snapshot.index());
        } finally {
            snapshot.release();
        }
    }

    /** Version of the scope's lane that is loaded; 0: none. */
    long version(String scope) {
        return client.states().stream()
                .filter(state -> state.lane().scope().equals(scope))
                .mapToLong(state -> state.loadedVersion())
                .findFirst()
                .orElse(0);
    }

    boolean caughtUp() {
        return client.caughtUp();
    }

    @Override
    public void close() {
        source.close();
        client.close();
    }
}
