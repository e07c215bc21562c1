/**
 * {@code tailrace audit}: whether an installation's books close, from what its topics and its store say.
 *
 * <p>{@link io.tailrace.cli.audit.LaneFacts} holds what was read of a lane, {@link io.tailrace.cli.audit.InstallationFacts} of all of them;
 * {@link io.tailrace.cli.audit.LaneAudit} says what follows from it, {@link io.tailrace.cli.audit.Audit} carries an audit out. {@link io.tailrace.cli.audit.Repair} is all that writes, and only files that a version names.
 */
package io.tailrace.cli.audit;
