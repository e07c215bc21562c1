/**
 * Drafts from the target's own candidates: the tokens that it finds likely beside the one it says (token recycling, and
 * {@code adaptive:candidates=N}).
 *
 * <p>{@link io.tailrace.worker.candidates.TargetCandidates} is what the engine tells them to, place by place;
 * {@link io.tailrace.worker.candidates.CandidateDrafts} hands them on to a lane's drafters.
 *
 * <pre>{@code
 * DraftSource drafts = new CandidateDrafts(new LaneDrafts("token-recycling", snapshots, makers), 8);
 * }</pre>
 *
 * <p>Nothing here reads logits.
 */
package io.tailrace.worker.candidates;
