/**
 * What judges a draft where requests are replayed: a port, and the verifier that knows the recorded answer. A model's drafts are judged in
 * the engine's one forward pass for all requests ({@code worker.engine}, {@code worker.sampling}), not behind this port.
 *
 * <p>{@link io.tailrace.worker.verify.Verifier} begins a session a request; {@link io.tailrace.worker.verify.VerifierSession}
 * takes one draft tree a step and says which path of it was right and what the answer says next, in a
 * {@link io.tailrace.worker.decode.Verdict}.
 *
 * <pre>{@code
 * try (VerifierSession session = new ReplayVerifier(SimulatedStepTime.defaults()).begin(request)) {
 *     session.verify(draft, verdict);
 * }
 * }</pre>
 *
 * <p>This package does not draft, and {@link io.tailrace.worker.verify.ReplayVerifier} measures no time: its step times come
 * from a stated curve and its worker class says so.
 */
package io.tailrace.worker.verify;
