/**
 * What decoding gave: of one verified draft a {@link io.tailrace.client.verification.Verdict}, of a whole request a
 * {@link io.tailrace.client.verification.DecodeResult} with its {@link io.tailrace.client.verification.DecodeTally}.
 *
 * <p>Both workers count alike, the one with a model ({@code worker.engine}) and the one that replays ({@code worker.replay}), and
 * {@code worker.report} makes outcomes of it.
 *
 * <pre>{@code
 * tally.add(draft, verdict, draftNanos);
 * }</pre>
 *
 * <p>This package does not decode.
 */
package io.tailrace.client.verification;
