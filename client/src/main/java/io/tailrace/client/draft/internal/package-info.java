/**
 * Drafting from lanes: {@link io.tailrace.client.draft.internal.LaneDrafts} is the source that grows a draft for each request from its lane's
 * live snapshot. Its drafters are made, and made to learn together, by a lane's {@link io.tailrace.client.draft.internal.DrafterMaker}.
 *
 * <pre>{@code
 * LaneMakers makers = new LaneMakers(requestsMax, () -> new AdaptiveMaker(true));
 * DraftSource drafts = new LaneDrafts("adaptive", scope -> lanes.ofRequest(scope).live(), makers);
 * }</pre>
 *
 * <p>An engine gets it from {@link io.tailrace.client.TailraceClient#drafts}; the modules that are built with this one put other drafters in.
 * Nothing here verifies.
 */
package io.tailrace.client.draft.internal;
