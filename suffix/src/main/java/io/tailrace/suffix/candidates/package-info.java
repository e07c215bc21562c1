/**
 * What the target model itself would say next, remembered: {@link io.tailrace.suffix.candidates.AdjacencyMatrix} keeps the likeliest tokens
 * after each token, as verifications tell them; {@link io.tailrace.suffix.candidates.TargetRows} is a lane's, with {@link
 * io.tailrace.suffix.candidates.RankWeights} that learn what a rank in a row is worth beside what occurrences say.
 *
 * <pre>{@code
 * TargetRows lane = new TargetRows(8);
 * AdaptiveDrafter drafter = new AdaptiveDrafter(mixer, policy).with(lane);
 * lane.tell(token, likeliest, 8); // for each place that was verified
 * }</pre>
 *
 * <p>Nothing here knows models or drafts: rows are token ids, judged by rank.
 */
package io.tailrace.suffix.candidates;
