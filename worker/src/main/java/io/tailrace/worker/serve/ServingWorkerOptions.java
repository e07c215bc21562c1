package io.tailrace.worker.serve;

import io.tailrace.client.ClientOptions;
import io.tailrace.client.ReportingOptions;
import io.tailrace.client.follow.FollowOptions;
import io.tailrace.client.follow.ServedModel;
import io.tailrace.worker.engine.EngineOptions;
import java.nio.file.Path;
import java.util.Objects;
import java.util.Optional;

/**
 * A serving worker.
 *
 * @param name unique in the fleet; producer of its generations, 1 to 200 characters
 * @param workerClass whose cost curve its step times belong to
 * @param model the model it serves, as the fleet calls it
 * @param engine limits of decoding
 * @param drafts what drafts, and how much
 * @param follow how it follows snapshots, and how many own answers it remembers
 * @param snapshotFolder segments to draft from where there is no Kafka
 * @param snapshotNeeded not ready before some lane has a snapshot
 * @param reporting Kafka; empty: it neither follows announcements nor reports
 */
public record ServingWorkerOptions(
        String name,
        String workerClass,
        ServedModel model,
        EngineOptions engine,
        DraftOptions drafts,
        FollowOptions follow,
        Optional<Path> snapshotFolder,
        boolean snapshotNeeded,
        Optional<ReportingOptions> reporting) {
    public ServingWorkerOptions {
        ClientOptions.checkName("name", name);
        ClientOptions.checkName("workerClass", workerClass);
        Objects.requireNonNull(model, "model");
        Objects.requireNonNull(engine, "engine");
        Objects.requireNonNull(drafts, "drafts");
        Objects.requireNonNull(follow, "follow");
        Objects.requireNonNull(snapshotFolder, "snapshotFolder");
        Objects.requireNonNull(reporting, "reporting");
    }

    /** As it was given, but where nothing drafts from answers none are kept, and the fleet's are not listened to. */
    @Override
    public FollowOptions follow() {
        return drafts.fromAnswers() ? follow : follow.withFreshTokensMax(0);
    }

    /** The client's part. */
    ClientOptions client() {
        return new ClientOptions(name, workerClass, model, follow(), snapshotFolder, reporting);
    }

    /** A worker on its own: no Kafka, no snapshots. */
    public static ServingWorkerOptions alone(String name, ServedModel model, FollowOptions follow) {
        return new ServingWorkerOptions(
                name,
                "cpu",
                model,
                EngineOptions.defaults(),
                DraftOptions.defaults(),
                follow,
                Optional.empty(),
                false,
                Optional.empty());
    }

    public ServingWorkerOptions withEngine(EngineOptions options) {
        return new ServingWorkerOptions(
                name, workerClass, model, options, drafts, follow, snapshotFolder, snapshotNeeded, reporting);
    }

    public ServingWorkerOptions withDrafts(DraftOptions options) {
        return new ServingWorkerOptions(
                name, workerClass, model, engine, options, follow, snapshotFolder, snapshotNeeded, reporting);
    }

    public ServingWorkerOptions withReporting(ReportingOptions options) {
        return new ServingWorkerOptions(
                name, workerClass, model, engine, drafts, follow, snapshotFolder, snapshotNeeded, Optional.of(options));
    }
}
