/**
 * What judges a draft: a port, and the verifier that knows the recorded answer.
 *
 * <p>{@link io.tailrace.worker.verify.Verifier} begins a session a request; {@link io.tailrace.worker.verify.VerifierSession}
 * takes one draft tree a step and says which path of it was right and what the model says next, in a
 * {@link io.tailrace.worker.verify.Verdict}. A session may wait for others inside {@code verify}: that is how an engine
 * verifies several requests in one batch behind this port.
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
