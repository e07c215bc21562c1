/**
 * {@code tailrace audit}: whether an installation's books close, from what its topics and its store say.
 *
 * <p>{@link io.tailrace.cli.audit.LaneFacts} holds what was read of a lane, {@link io.tailrace.cli.audit.InstallationFacts} of all of them;
 * {@link io.tailrace.cli.audit.LaneAudit} says what follows from it. Nothing here writes: what can be mended, the job mends.
 */
package io.tailrace.cli.audit;
