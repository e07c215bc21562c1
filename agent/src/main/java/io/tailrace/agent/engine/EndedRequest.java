package io.tailrace.agent.engine;

import io.tailrace.agent.protocol.EndReason;
import io.tailrace.client.report.ServedRequest;

/**
 * A request that has ended.
 *
 * @param served what it said, and what became of its drafts
 * @param reason why it ended
 * @param shared false: it is nobody's, and is neither remembered nor reported
 */
public record EndedRequest(ServedRequest served, EndReason reason, boolean shared) {}
