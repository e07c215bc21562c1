/**
 * What both kinds of worker share: how to reach Kafka, what a worker may be called, and the drafters of a lane.
 *
 * <p>A serving worker with a model is {@link io.tailrace.worker.serve.ServingWorker}; one that replays recorded requests, for
 * measurements and the demo, is {@link io.tailrace.lab.load.LoadWorker}. Both follow snapshots
 * ({@code worker.follow}), draft, and report ({@code worker.report}); {@link io.tailrace.client.draft.AdaptiveDrafterSource} makes the drafters of a
 * lane, which learn together.
 *
 * <p>This package knows neither of them.
 */
package io.tailrace.client;
