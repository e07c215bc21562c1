package io.tailrace.client.draft;

/** Drafts from the fleet's lanes, as a client has them. */
public interface FleetDrafts extends LaterLearning {
    @Override
    EarlyDrafts begin(String scope, int[] prompt);
}
