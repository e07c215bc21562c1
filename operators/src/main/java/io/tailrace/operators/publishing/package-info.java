/**
 * From level-0 segments to announced snapshots, per lane.
 *
 * <p>{@link io.tailrace.operators.publishing.LanePublisher} is the Flink function; {@code LanePublication} decides over
 * {@link io.tailrace.operators.publishing.LaneState}: which segments to merge ({@code SegmentPlanner}), when to announce,
 * what to retain; {@code LaneCommands} applies operators' commands; {@code LaneAccounting} keeps the books. Merges run on
 * side threads ({@code SegmentMerge}); files that nothing names any more are removed by {@code StoreSweep}.
 *
 * <pre>{@code
 * inputs.keyBy(LaneInput::lane).connect(control)
 *       .process(new LanePublisher(PublishingOptions.defaults(), models, stores, history, ""));
 * }</pre>
 *
 * <p>It learns nothing and judges nothing: manifests carry the default policy.
 */
package io.tailrace.operators.publishing;
