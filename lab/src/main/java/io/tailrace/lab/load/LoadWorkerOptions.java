package io.tailrace.lab.load;

import io.tailrace.client.ClientOptions;
import io.tailrace.client.KafkaAccess;
import io.tailrace.client.ReportingOptions;
import io.tailrace.client.follow.FollowOptions;
import io.tailrace.client.follow.ServedModel;
import java.util.Optional;

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
public record LoadWorkerOptions(
        String name,
        String workerClass,
        ServedModel model,
        KafkaAccess kafka,
        FollowOptions follow,
        LoadServingOptions serving) {
    public LoadWorkerOptions {
        ClientOptions.checkName("name", name);
        ClientOptions.checkName("workerClass", workerClass);
        if (model == null || kafka == null || follow == null || serving == null) {
            throw new IllegalArgumentException("model, kafka, follow and serving must be given");
        }
    }

    /** The client's part: reports wait in memory. */
    ClientOptions client() {
        return new ClientOptions(
                name, workerClass, model, follow, Optional.empty(), Optional.of(ReportingOptions.unspooled(kafka)));
    }

    /** A worker with default serving options. */
    public static LoadWorkerOptions of(String name, ServedModel model, KafkaAccess kafka, FollowOptions follow) {
        return new LoadWorkerOptions(
                name, RecordedVerifier.WORKER_CLASS, model, kafka, follow, LoadServingOptions.defaults());
    }

    public LoadWorkerOptions withServing(LoadServingOptions options) {
        return new LoadWorkerOptions(name, workerClass, model, kafka, follow, options);
    }
}
