/**
 * What an installation's topics say of a fleet, for people: the one read model behind the commands of this package and the console's pages.
 *
 * <p>{@link io.tailrace.cli.fleet.FleetView} takes the records and answers; its memory is bounded whatever the topics hold. Commands read the topics to their
 * ends once; {@link io.tailrace.cli.fleet.FollowedFleet} goes on reading.
 *
 * <pre>{@code
 * FleetView fleet = new FleetView();
 * topics.read(record -> fleet.take(topics.topic(record), record), Topic.SNAPSHOTS, Topic.WORKERS);
 * List<LaneFigures> lanes = fleet.lanes(System.currentTimeMillis());
 * }</pre>
 *
 * <p>Nothing here writes to a topic, and nothing reads the store.
 */
package io.tailrace.cli.fleet;
