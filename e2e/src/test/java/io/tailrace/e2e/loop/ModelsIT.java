package io.tailrace.e2e.loop;

import static org.assertj.core.api.Assertions.assertThat;

import io.tailrace.cli.Tailrace;
import io.tailrace.client.KafkaAccess;
import io.tailrace.client.follow.FollowOptions;
import io.tailrace.client.follow.ServedModel;
import io.tailrace.lab.load.LoadWorker;
import io.tailrace.lab.loop.LoopObserver;
import io.tailrace.lab.loop.LoopUnderLoad;
import io.tailrace.schemas.RecordCodec;
import io.tailrace.schemas.Rejection;
import io.tailrace.schemas.RejectionReason;
import io.tailrace.schemas.SegmentReference;
import io.tailrace.schemas.SnapshotManifest;
import io.tailrace.schemas.Topic;
import io.tailrace.terminal.ExitCodes;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.MethodOrderer;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestMethodOrder;
import org.junit.jupiter.api.io.TempDir;

/**
 * A fleet goes from one revision of its model to the next, which has another tokenizer: the job is started again with both, then with the new one only, then with
 * both once more, each time from the savepoint before. Stages of one story, in their order.
 */
@Tag("full")
@TestMethodOrder(MethodOrderer.OrderAnnotation.class)
class ModelsIT {
    private static final ServedModel OLD = Fleet.MODEL;
    private static final ServedModel NEW = new ServedModel(OLD.model(), "2", 50_000, "another-tokenizer");
    private static final String SCOPE = "alpha";
    private static final int ANSWERS = 20;
    /** Drafted as a whole but for the first tokens, of which nobody can know that they are its beginning. */
    private static final int CANARY_DRAFTED_MIN = 40;

    private static final Duration DELETED_MAX = Duration.ofSeconds(60);

    @TempDir
    static Path folder;

    private static int port;

    @BeforeAll
    static void choosePort() throws Exception {
        port = PrometheusProcess.freePort();
    }

    @Test
    @Order(1)
    void answersOfAModelThatTheJobDoesNotKnowAreRejected() throws Exception {
        try (Stage stage = new Stage(OLD)) {
            LoadWorker worker = stage.worker("old-1", OLD);
            stage.answer(worker, "before");
            worker.serve(stage.fleet.request("canary", SCOPE, Canary.TOKENS));
            stage.answer(stage.worker("early", NEW), "early");
            assertThat(stage.fleet.awaitSettled().records().rejected()).isEqualTo(ANSWERS);
            assertThat(stage.topics.read(Topic.REJECTIONS, RecordCodec.REJECTION))
                    .extracting(Rejection::getReason)
                    .containsOnly(RejectionReason.UNKNOWN_MODEL);
        }
    }

    @Test
    @Order(2)
    void aRevisionIsAddedAndNeitherDraftsWhatTheOtherAnswered() throws Exception {
        try (Stage stage = new Stage(OLD, NEW)) {
            stage.answer(stage.worker("new-1", NEW), "new");
            stage.fleet.awaitSettled();
            assertThat(stage.canaryDrafted("old-2", OLD)).isGreaterThan(CANARY_DRAFTED_MIN);
            assertThat(stage.canaryDrafted("new-2", NEW)).isZero();
            assertThat(stage.announcedTokens()).containsOnlyKeys(OLD.revision(), NEW.revision());
        }
    }

    /** The last stage has answered the canary under both. */
    @Test
    @Order(3)
    void aRevisionThatIsNoLongerNamedRestsAsItIs() throws Exception {
        try (Stage stage = new Stage(NEW)) {
            long tokens = stage.announcedTokens().get(OLD.revision());
            stage.answer(stage.worker("new-3", NEW), "later");
            stage.fleet.awaitSettled();
            assertThat(stage.canaryDrafted("new-4", NEW)).isGreaterThan(CANARY_DRAFTED_MIN);
            assertThat(stage.canaryDrafted("old-3", OLD)).isGreaterThan(CANARY_DRAFTED_MIN);
            assertThat(stage.delete(OLD)).isEqualTo(ExitCodes.FELL_SHORT);
            assertThat(stage.announcedTokens()).containsEntry(OLD.revision(), tokens);
        }
    }

    @Test
    @Order(4)
    void aDeleteThatWaitedIsCarriedOutWhenTheJobHasTheRevisionAgain() throws Exception {
        try (Stage stage = new Stage(OLD, NEW)) {
            Awaitility.await("an announced version without text")
                    .atMost(DELETED_MAX)
                    .until(() -> stage.announcedTokens().get(OLD.revision()) == 0);
            assertThat(stage.announcedTokens().get(NEW.revision())).isPositive();
            assertThat(stage.canaryDrafted("new-5", NEW)).isGreaterThan(CANARY_DRAFTED_MIN);
            stage.fleet.awaitSettled();
            assertThat(stage.fleet.audit()).doesNotContainPattern("[1-9][0-9,]* lost");
        }
    }

    /** A life of the job, with these models; the first is the loop's own. */
    private static final class Stage implements AutoCloseable {
        private final LoopUnderLoad loop;
        private final LoopObserver observer;
        private final Fleet fleet;
        private final TopicReader topics;
        private final List<LoadWorker> workers = new ArrayList<>();

        Stage(ServedModel... models) throws Exception {
            String[] more = Arrays.stream(models)
                    .skip(1)
                    .map(model -> "--model=%s@%s,vocabulary=%d,tokenizer=%s"
                            .formatted(
                                    model.model(),
                                    model.revision(),
                                    model.vocabularySize(),
                                    model.tokenizerFingerprint()))
                    .toArray(String[]::new);
            loop = LoopUnderLoad.start(
                    LoopUnderLoad.options(folder, models[0]).withKeptState(port).withJobArguments(more));
            observer = loop.observe();
            fleet = new Fleet(loop, observer, models.length);
            topics = new TopicReader(loop.loop().bootstrap());
        }

        /** It is closed before the loop. */
        LoadWorker worker(String name, ServedModel model) throws Exception {
            LoadWorker worker = new LoadWorker(LoadWorker.Options.of(
                    name,
                    model,
                    KafkaAccess.of(loop.loop().bootstrap()),
                    FollowOptions.of(
                            loop.loop().store(), folder.resolve("cache").resolve(name))));
            workers.add(worker);
            worker.start();
            return worker;
        }

        void answer(LoadWorker worker, String name) {
            for (int i = 0; i < ANSWERS; i++) {
                worker.serve(fleet.request(name + "-" + i, SCOPE));
            }
        }

        /** Draft tokens that a new worker of the model accepts of the canary, with the newest version loaded. */
        int canaryDrafted(String name, ServedModel model) throws Exception {
            LoadWorker worker = worker(name, model);
            fleet.awaitLoaded(worker, model.lane(SCOPE));
            return worker.serve(fleet.request("canary-" + name, SCOPE, Canary.TOKENS))
                    .decoded()
                    .tally()
                    .accepted();
        }

        /** Response tokens of each revision's newest announced version. */
        Map<String, Long> announcedTokens() throws Exception {
            return topics.served().stream()
                    .sorted(Comparator.comparingLong(SnapshotManifest::getVersion))
                    .collect(Collectors.toMap(
                            manifest -> manifest.getLane().getRevision(), Stage::tokens, (before, newest) -> newest));
        }

        private static long tokens(SnapshotManifest manifest) {
            return manifest.getSegments().stream()
                    .mapToLong(SegmentReference::getLiveTokens)
                    .sum();
        }

        int delete(ServedModel model) {
            return Tailrace.commandLine()
                    .execute(
                            "delete",
                            "--bootstrap=" + loop.loop().bootstrap(),
                            "--scope=" + SCOPE,
                            "--model=" + model.model(),
                            "--revision=" + model.revision(),
                            "--wait-seconds=2");
        }

        @Override
        public void close() {
            workers.forEach(LoadWorker::close);
            observer.close();
            loop.close();
        }
    }
}
