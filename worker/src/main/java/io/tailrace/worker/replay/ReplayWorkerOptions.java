package io.tailrace.worker.replay;

import io.tailrace.worker.KafkaAccess;
import io.tailrace.worker.WorkerName;
import io.tailrace.worker.follow.FollowOptions;
import io.tailrace.worker.follow.ServedModel;
import io.tailrace.worker.verify.ReplayVerifier;

/**
 * A worker.
 *
 * @param name unique in the fleet; producer of its generations, 1 to 200 characters
 * @param workerClass whose cost curve its step times belong to
 * @param model the one model it serves
 * @param kafka how to reach Kafka
 * @param follow how it follows snapshots
 * @param serving how it serves requests
 */
public record ReplayWorkerOptions(
        String name,
        String workerClass,
        ServedModel model,
        KafkaAccess kafka,
        FollowOptions follow,
        ReplayServingOptions serving) {
    public ReplayWorkerOptions {
        WorkerName.checked("name", name);
        WorkerName.checked("workerClass", workerClass);
        if (model == null || kafka == null || follow == null || serving == null) {
            throw new IllegalArgumentException("model, kafka, follow and serving must be given");
        }
    }

    /** A replaying worker with default serving options. */
    public static ReplayWorkerOptions of(String name, ServedModel model, KafkaAccess kafka, FollowOptions follow) {
        return new ReplayWorkerOptions(
                name, ReplayVerifier.WORKER_CLASS, model, kafka, follow, ReplayServingOptions.defaults());
    }

    public ReplayWorkerOptions withServing(ReplayServingOptions options) {
        return new ReplayWorkerOptions(name, workerClass, model, kafka, follow, options);
    }
}
