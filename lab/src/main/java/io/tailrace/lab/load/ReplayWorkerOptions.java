package io.tailrace.lab.load;

import io.tailrace.client.KafkaAccess;
import io.tailrace.client.WorkerName;
import io.tailrace.client.follow.FollowOptions;
import io.tailrace.client.follow.ServedModel;

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
