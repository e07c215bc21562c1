/**
 * What decoding gave: of one verified draft a {@link io.tailrace.client.verification.Verdict}, of a whole request a
 * {@link io.tailrace.client.verification.DecodeResult} with its {@link io.tailrace.client.verification.DecodeTally}.
 *
 * <p>Every engine counts alike, with a model or without one, and {@code client.report} makes outcomes of it.
 *
 * <pre>{@code
 * tally.add(draft, verdict, draftNanos);
 * }</pre>
 *
 * <p>This package does not decode.
 */
package io.tailrace.client.verification;
