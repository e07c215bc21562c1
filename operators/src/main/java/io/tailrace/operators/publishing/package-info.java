/**
 * From level-0 segments to announced snapshots, per lane.
 *
 * <p>{@link io.tailrace.operators.publishing.LanePublisher} is the Flink function, {@code LaneRound} one round of it. What they
 * decide is plain classes over {@link io.tailrace.operators.publishing.LaneState}: {@code MergePlanning} says which segments to merge,
 * {@code FoldTiming} when a fold begins, {@code MergeAdoption} puts the result in their place, {@code GenerationRetention}, {@code VersionRetention} and {@code VersionSpacing} say what is kept,
 * {@code LanePublication} what is announced, {@code DeleteBound} what it may not hold any more; {@code LaneCommands} applies operators' commands; {@code LaneAccounting} keeps the books.
 * Merges run on side threads ({@code BackgroundMerges}); files that nothing names any more are removed by {@code StoreSweep}.
 *
 * <pre>{@code
 * inputs.keyBy(LaneInput::lane).connect(control)
 *       .process(new LanePublisher(publishing, learning, models, stores, history, scratch));
 * }</pre>
 *
 * <p>What is learned of a lane, and how changes are judged, is in {@link io.tailrace.operators.learning}.
 */
package io.tailrace.operators.publishing;
