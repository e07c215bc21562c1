/**
 * Checkpoints and savepoints, before a job goes on from one.
 *
 * <p>{@link io.tailrace.jobs.state.SavedStates} finds the newest that is intact.
 *
 * <pre>{@code
 * Optional<String> state = SavedStates.newestIntact(newestFirst, System.err::println);
 * }</pre>
 *
 * <p>Nothing here reads what a state holds: that is for Flink and the operators.
 */
package io.tailrace.jobs.state;
