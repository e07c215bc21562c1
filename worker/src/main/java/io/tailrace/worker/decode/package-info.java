/**
 * One request from its first step to its last: draft, verify, learn, count.
 *
 * <p>{@link io.tailrace.worker.decode.RequestDecoder} runs the loop with one {@link io.tailrace.suffix.draft.Drafter}, and
 * leases the lane's snapshot anew for every step, so that a snapshot may be swapped under a running request.
 *
 * <pre>{@code
 * DecodeResult result = decoder.decode(prompt, session, drafter, snapshots, Sources.SHARED);
 * }</pre>
 *
 * <p>This package does not know where requests come from nor where results go.
 */
package io.tailrace.worker.decode;
