/**
 * From generations to announced snapshots, per lane.
 *
 * <p>{@link io.tailrace.operators.publishing.LanePublisher} is the Flink function: it decodes what it hears, has the {@code Lane} take it in, and sends on what is
 * told. A {@code Lane} brings together {@code Layout} (segments and books), {@code Versions}, {@code Deletes}, {@code AnnouncementCadence}, {@code LaneCommands} and
 * what is learned, each the only writer of its own state; all of it is kept as one Avro record. {@code MergePlanning} says which segments to merge,
 * {@code FoldTiming} when a fold begins, {@code GenerationRetention} and {@code VersionSpacing} what is kept. {@code LaneRound} is one round of a lane's timer.
 * Merges run on side threads ({@code BackgroundMerges}); files that nothing names any more are removed by {@code StoreSweep}, when {@code SweepPace} says.
 *
 * <pre>{@code
 * messages.keyBy(LaneMessage::lane).connect(control)
 *         .process(new LanePublisher(publishing, learning, models, stores, history, scratch));
 * }</pre>
 *
 * <p>What is learned of a lane, and how changes are judged, is in {@link io.tailrace.operators.learning}.
 */
package io.tailrace.operators.publishing;
