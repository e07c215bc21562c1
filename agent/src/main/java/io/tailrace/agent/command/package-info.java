/**
 * {@code tailrace agent}: its options, and the main class that the launcher starts, so that neither Flink nor a model's library is on
 * an agent's class path.
 *
 * <p>{@link io.tailrace.agent.command.FleetArguments} are the options of whatever takes part in a fleet; other commands that serve
 * have them, too.
 *
 * <pre>{@code
 * @Mixin
 * private FleetArguments fleet = new FleetArguments();
 * ...
 * fleet.check();
 * FollowOptions follow = fleet.follow();
 * }</pre>
 */
package io.tailrace.agent.command;
