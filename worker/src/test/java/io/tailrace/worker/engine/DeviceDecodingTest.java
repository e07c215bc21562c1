package io.tailrace.worker.engine;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.tailrace.client.budget.BudgetChoice;
import io.tailrace.client.draft.DraftLearning;
import io.tailrace.client.draft.DraftSource;
import io.tailrace.client.draft.RequestDrafts;
import io.tailrace.client.draft.StepOutcomes;
import io.tailrace.client.draft.internal.DamagedSegment;
import io.tailrace.client.follow.FollowOptions;
import io.tailrace.client.follow.ServedModel;
import io.tailrace.client.follow.internal.LoadedSnapshot;
import io.tailrace.client.follow.internal.ServedLane;
import io.tailrace.client.follow.internal.ServedLanes;
import io.tailrace.client.follow.internal.Snapshots;
import io.tailrace.gpu.DeviceLimits;
import io.tailrace.gpu.DeviceLostException;
import io.tailrace.gpu.driver.CudaDevice;
import io.tailrace.suffix.LaneIndex;
import io.tailrace.suffix.RememberedAnswer;
import io.tailrace.suffix.draft.AdaptiveDrafter;
import io.tailrace.suffix.draft.DraftPolicy;
import io.tailrace.suffix.draft.Mixer;
import io.tailrace.testkit.StandInDriver;
import io.tailrace.testkit.llama.ModelDirectory;
import io.tailrace.testkit.llama.ModelDirectory.WeightType;
import io.tailrace.testkit.llama.TinyLlama;
import io.tailrace.testkit.llama.TinyLlama.Shape;
import io.tailrace.worker.device.DeviceDrafts;
import io.tailrace.worker.djl.DjlModel;
import io.tailrace.worker.model.HashModel;
import io.tailrace.worker.model.LetterTokenizer;
import io.tailrace.worker.model.ModelOptions;
import io.tailrace.worker.model.TargetModel;
import io.tailrace.worker.sampling.SamplingParameters;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.IntPredicate;
import java.util.stream.Stream;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The decode loop with drafts and acceptance on a device, on the stand-in driver. */
class DeviceDecodingTest {
    private static final int END = LetterTokenizer.END;
    private static final int NO_MEMORY = 2;
    private static final int REFUSED = 304;
    private static final int ILLEGAL_ADDRESS = 700;

    @TempDir
    Path folder;

    @BeforeEach
    void load() throws Exception {
        assumeTrue(StandInDriver.load(), "g++ is not installed (Debian: apt-get install g++)");
    }

    @AfterEach
    void nothingIsLeftOnTheDevice() {
        StandInDriver.failAfter(-1, 0);
        assertThat(StandInDriver.held()).isZero();
    }

    @Test
    void outputIsThatWithoutDraftsTokenForTokenGreedyAndSampled() throws InterruptedException {
        for (long seed = 0; seed < 24; seed++) {
            HashModel model =
                    seed % 2 == 0 ? HashModel.of(seed) : HashModel.of(seed).withInputsInMemory();
            SplittableRandom random = new SplittableRandom(seed);
            EngineOptions options = EngineOptions.defaults()
                    .withBatchMax(1 + random.nextInt(6))
                    .withBudgetMax(1 + random.nextInt(20))
                    .withPrefillTokensMax(1 + random.nextInt(40));
            Worker worker = new Worker(model, options);
            try (DecodeEngine engine = worker.start()) {
                List<DecodeRequest> requests = new ArrayList<>();
                List<HeldAnswer> drafted = new ArrayList<>();
                List<HeldAnswer> plain = new ArrayList<>();
                for (int i = 0; i < 12; i++) {
                    requests.add(request(random, i, model.vocabularySize()));
                    drafted.add(submit(engine, requests.get(i)));
                    plain.add(submit(engine, withoutDrafts(requests.get(i))));
                }
                for (int i = 0; i < requests.size(); i++) {
                    String what = "seed %d, request %d, %s"
                            .formatted(seed, i, requests.get(i).sampling());
                    int[] output = drafted.get(i).await().decoded().output();
                    assertThat(output)
                            .as(what)
                            .isEqualTo(plain.get(i).await().decoded().output());
                    if (requests.get(i).sampling().greedy()) {
                        int most = requests.get(i).tokensMax();
                        assertThat(output).as(what).isEqualTo(Plain.decode(model, requests.get(i), END, most));
                    }
                }
            }
            assertThat(worker.drafts.fallBacks()).isZero();
            assertThat(model.openSequences()).isZero();
        }
    }

    @Test
    void draftsOfTheDeviceSaveSteps() throws InterruptedException {
        HashModel model = repeating();
        try (DecodeEngine engine = new Worker(model, EngineOptions.defaults()).start()) {
            Answer answer = submit(engine, DecodeRequest.greedy("a", "s", new int[] {3, 4}, 200))
                    .await();
            assertThat(answer.decoded().tally().accepted()).isGreaterThan(50);
        }
    }

    /** The host plans by forecasts and never sees a draft before the model does. */
    @Test
    void draftsThatGoStraightIntoThePassSaveAsManySteps() throws InterruptedException {
        DecodeRequest request = DecodeRequest.greedy("a", "s", new int[] {3, 4}, 200);
        List<Integer> steps = new ArrayList<>();
        for (HashModel model : List.of(repeating(), repeating().withInputsInMemory())) {
            Worker worker = new Worker(model, EngineOptions.defaults());
            assertThat(worker.drafts.completes()).isEqualTo(model.inputMemory().isPresent());
            try (DecodeEngine engine = worker.start()) {
                Answer answer = submit(engine, request).await();
                assertThat(answer.decoded().output()).isEqualTo(Plain.decode(model, request, END, 200));
                steps.add(answer.decoded().tally().steps());
            }
            assertThat(worker.drafts.fallBacks()).isZero();
        }
        assertThat(steps.get(1)).isLessThan(150).isEqualTo(steps.get(0));
    }

    @Test
    void finishedAnswersAreDraftedFromOnTheDevice() throws InterruptedException {
        HashModel model = repeating();
        Worker worker = new Worker(model, EngineOptions.defaults());
        try (DecodeEngine engine = worker.start()) {
            DecodeRequest request = DecodeRequest.greedy("a", "s", new int[] {3, 4}, 20);
            Answer first = submit(engine, request).await();
            ServedLane lane = worker.lanes.ofRequest("s");
            lane.finished("a", RememberedAnswer.of(first.decoded().output()), System.currentTimeMillis());
            Awaitility.await()
                    .atMost(Duration.ofSeconds(60))
                    .until(() ->
                            submit(engine, request).await().decoded().tally().steps() < 12);
        }
    }

    @Test
    void aSnapshotIsSwappedUnderRunningRequestsAndTheOldOneLeftWhenItIsUploaded() throws InterruptedException {
        HashModel model = repeating();
        Worker worker = new Worker(model, EngineOptions.defaults());
        AtomicInteger closed = new AtomicInteger();
        try (DecodeEngine engine = worker.start()) {
            ServedLane lane = worker.lanes.ofRequest("s");
            for (long version = 1; version < 30; version++) {
                HeldAnswer running = submit(engine, DecodeRequest.greedy("a", "s", new int[] {3, 4}, 60));
                int[] text = {3, 4, (int) version % 20, 5};
                Snapshots.serve(
                        lane,
                        Snapshots.of(
                                version,
                                lane,
                                worker.served.identity(lane.lane()),
                                text,
                                folder,
                                closed::incrementAndGet));
                running.await();
            }
            Awaitility.await()
                    .atMost(Duration.ofSeconds(60))
                    .until(() -> submit(engine, DecodeRequest.greedy("b", "s", new int[] {3, 4}, 5))
                                    .await()
                                    .decoded()
                                    .snapshotVersionLast()
                            == 29);
            Awaitility.await().atMost(Duration.ofSeconds(60)).until(() -> closed.get() == 28);
        }
    }

    /** Whether or not the host sees a draft before the model does. */
    @Test
    void aFileWhoseTokensAreOfNoVocabularyCostsNobodyTheirAnswer() throws Exception {
        DecodeRequest request = DecodeRequest.greedy("a", "s", new int[] {3, 4}, 60);
        for (HashModel model : List.of(repeating(), repeating().withInputsInMemory())) {
            int[] expected = Plain.decode(model, request, END, 60);
            Worker worker = new Worker(model, EngineOptions.defaults());
            try (DecodeEngine engine = worker.start()) {
                ServedLane lane = worker.lanes.ofRequest("s");
                submit(engine, request).await();
                LoadedSnapshot snapshot =
                        Snapshots.of(1, lane, worker.served.identity(lane.lane()), expected, folder, () -> {});
                DamagedSegment.rotToken(onlySegment(), expected[30]);
                Snapshots.serve(lane, snapshot);
                awaitServed(lane, 1);
                assertThat(submit(engine, request).await().decoded().output()).isEqualTo(expected);
                assertThat(worker.drafts.fallBacks()).isEqualTo(worker.drafts.completes() ? 0 : 1);
            }
            Files.delete(onlySegment());
        }
    }

    private Path onlySegment() throws IOException {
        try (Stream<Path> files = Files.list(folder)) {
            return files.filter(file -> file.toString().endsWith(".segment"))
                    .findFirst()
                    .orElseThrow();
        }
    }

    /** One call of the driver fails, at any moment of serving: nobody's answer changes. */
    @Test
    void aDeviceThatRefusesCostsNobodyTheirAnswer() throws InterruptedException {
        int brokenWorkers = 0;
        for (int call = 40; call < 400; call += 9) {
            HashModel model = call % 4 < 2 ? repeating() : repeating().withInputsInMemory();
            Worker worker = new Worker(model, EngineOptions.defaults());
            StandInDriver.failAfter(call, call % 2 == 0 ? REFUSED : NO_MEMORY);
            try (DecodeEngine engine = worker.start()) {
                List<HeldAnswer> answers = new ArrayList<>();
                for (int i = 0; i < 4; i++) {
                    answers.add(submit(engine, DecodeRequest.greedy("a" + i, "s", new int[] {3 + i, 4}, 60)));
                }
                for (int i = 0; i < 4; i++) {
                    DecodeRequest request = DecodeRequest.greedy("a" + i, "s", new int[] {3 + i, 4}, 60);
                    assertThat(answers.get(i).await().decoded().output())
                            .as("call %d fails, request %d", call, i)
                            .isEqualTo(Plain.decode(model, request, END, 60));
                }
            }
            brokenWorkers += worker.drafts.broken() ? 1 : 0;
            StandInDriver.failAfter(-1, 0);
            assertThat(StandInDriver.held()).as("call %d fails", call).isZero();
        }
        assertThat(brokenWorkers).isPositive();
    }

    /** What breaks the driver's context takes the model's memory, too: nobody is told that a part is the answer, the loop ends. */
    @Test
    void aDeviceThatIsLostEndsTheDecodeLoop() throws InterruptedException {
        int lost = 0;
        for (int call = 40; call < 400; call += 13) {
            HashModel model = call % 4 < 2 ? repeating() : repeating().withInputsInMemory();
            Worker worker = new Worker(model, EngineOptions.defaults());
            StandInDriver.failAfter(call, ILLEGAL_ADDRESS);
            try (DecodeEngine engine = worker.start()) {
                DecodeRequest request = DecodeRequest.greedy("a", "s", new int[] {3, 4}, 60);
                HeldAnswer held = submit(engine, request);
                Answer answer = held.await();
                if (answer == null) {
                    assertThat(held.awaitFailure()).as("call %d", call).isInstanceOf(DeviceLostException.class);
                    assertThat(engine.awaitEnd(Duration.ofSeconds(60))).isTrue();
                    assertThat(engine.failure()).isInstanceOf(DeviceLostException.class);
                    lost++;
                } else {
                    assertThat(answer.decoded().output()).isEqualTo(Plain.decode(model, request, END, 60));
                }
            }
            StandInDriver.failAfter(-1, 0);
            StandInDriver.relaunch();
            assertThat(StandInDriver.held()).as("call %d fails", call).isZero();
        }
        assertThat(lost).isPositive();
    }

    /** An upload finds it while nobody asks for anything. */
    @Test
    void aDeviceThatIsLostToAnUploadIsSeen() throws InterruptedException {
        Worker worker = new Worker(repeating(), EngineOptions.defaults());
        try (DecodeEngine engine = worker.start()) {
            submit(engine, DecodeRequest.greedy("a", "s", new int[] {3, 4}, 20)).await();
            assertThat(worker.drafts.lost()).isFalse();
            StandInDriver.failAfter(0, ILLEGAL_ADDRESS);
            ServedLane lane = worker.lanes.ofRequest("s");
            Snapshots.serve(
                    lane,
                    Snapshots.of(1, lane, worker.served.identity(lane.lane()), new int[] {3, 4, 5}, folder, () -> {}));
            Awaitility.await().atMost(Duration.ofSeconds(60)).until(worker.drafts::lost);
        }
        StandInDriver.failAfter(-1, 0);
        StandInDriver.relaunch();
        assertThat(StandInDriver.held()).isZero();
    }

    /** A rollback that does not reach the device, whichever call is refused: the version that was left is not drafted from. */
    @Test
    void aRollbackThatIsNotUploadedLeavesNothingToDraftFromUntilItIs() throws InterruptedException {
        HashModel model = repeating();
        for (int calls = 0; calls < 12; calls++) {
            Worker worker = new Worker(model, EngineOptions.defaults());
            try (DecodeEngine engine = worker.start()) {
                ServedLane lane = worker.lanes.ofRequest("s");
                submit(engine, DecodeRequest.greedy("a", "s", new int[] {3, 4}, 5))
                        .await();
                serve(worker, lane, 2);
                awaitServed(lane, 2);
                StandInDriver.failAfter(calls, NO_MEMORY);
                serve(worker, lane, 1);
                Awaitility.await().atMost(Duration.ofSeconds(60)).until(() -> served(lane) != 2);
                long drafted = submit(engine, DecodeRequest.greedy("b", "s", new int[] {3, 4}, 5))
                        .await()
                        .decoded()
                        .snapshotVersionLast();
                assertThat(drafted).as("refused after %d calls", calls).isIn(0L, 1L);
                StandInDriver.failAfter(-1, 0);
                awaitServed(lane, 1);
            }
        }
    }

    /** The scratch folder cannot be written when an answer is deleted, as on a full disk: the segment of those that stay is not made. */
    @Test
    void aDeletedAnswerIsNotDraftedFromWhereTheNextUploadFails() throws Exception {
        HashModel model = repeating();
        Worker worker = new Worker(model, EngineOptions.defaults());
        try (DecodeEngine engine = worker.start()) {
            DecodeRequest request = DecodeRequest.greedy("a", "s", new int[] {3, 4}, 20);
            Answer first = submit(engine, request).await();
            int unaided = first.decoded().tally().steps();
            ServedLane lane = worker.lanes.ofRequest("s");
            long now = System.currentTimeMillis();
            lane.finished("a", RememberedAnswer.of(first.decoded().output()), now - 1);
            lane.finished("b", RememberedAnswer.of(new int[] {7, 7, 8}), now);
            awaitSteps(engine, request, steps -> steps < unaided);
            assertThat(worker.drafts.failedUploads()).isZero();
            Files.move(worker.scratch, folder.resolve("gone"));
            Files.createFile(worker.scratch);
            Snapshots.deleteRequest(lane, "a", now);
            Awaitility.await().atMost(Duration.ofSeconds(60)).until(() -> worker.drafts.failedUploads() > 0);
            assertThat(submit(engine, request).await().decoded().tally().steps())
                    .as("drafted from its own context alone")
                    .isEqualTo(unaided);
            lane.finished("c", RememberedAnswer.of(first.decoded().output()), System.currentTimeMillis());
            Files.delete(worker.scratch);
            awaitSteps(engine, request, steps -> steps < unaided);
        }
    }

    @Test
    void lanesThatWereAskedForLongestAgoMakeRoomAndComeBackWhenTheyAreAskedFor() throws InterruptedException {
        HashModel model = repeating();
        Worker unlimited = new Worker(model, EngineOptions.defaults());
        try (DecodeEngine engine = unlimited.start()) {
            awaitServed(served(unlimited, engine, "s"), 1);
            awaitServed(served(unlimited, engine, "t"), 1);
        }
        long both = unlimited.drafts.laneBytes();
        assertThat(unlimited.drafts.withoutRoom()).isZero();
        Worker worker = new Worker(model, EngineOptions.defaults(), model.contextTokensMax() + 65, both - 1);
        try (DecodeEngine engine = worker.start()) {
            ServedLane first = served(worker, engine, "s");
            awaitServed(first, 1);
            ServedLane second = served(worker, engine, "t");
            awaitServed(second, 1);
            assertThat(served(first)).isZero();
            assertThat(worker.drafts.laneBytes()).isPositive().isLessThan(both);
            serve(worker, first, 2);
            awaitWithoutRoom(worker, 2);
            assertThat(served(first)).as("nobody asks for it just now").isZero();
            submit(engine, DecodeRequest.greedy("c", "s", new int[] {3, 4}, 5)).await();
            awaitServed(first, 2);
            assertThat(served(second)).isZero();
            assertThat(worker.drafts.laneBytes()).isPositive().isLessThan(both);
        }
        Worker none = new Worker(model, EngineOptions.defaults(), model.contextTokensMax() + 65, 1);
        try (DecodeEngine engine = none.start()) {
            ServedLane lane = served(none, engine, "s");
            awaitWithoutRoom(none, 1);
            assertThat(served(lane)).isZero();
            assertThat(none.drafts.fallBacks()).isZero();
        }
    }

    /** Asks for a scope, and brings it a version. */
    private ServedLane served(Worker worker, DecodeEngine engine, String scope) throws InterruptedException {
        submit(engine, DecodeRequest.greedy("a", scope, new int[] {3, 4}, 5)).await();
        ServedLane lane = worker.lanes.ofRequest(scope);
        serve(worker, lane, 1);
        return lane;
    }

    private static void awaitWithoutRoom(Worker worker, int times) {
        Awaitility.await().atMost(Duration.ofSeconds(60)).until(() -> worker.drafts.withoutRoom() >= times);
    }

    private void serve(Worker worker, ServedLane lane, long version) {
        int[] text = {3, 4, (int) version, 5};
        Snapshots.serve(lane, Snapshots.of(version, lane, worker.served.identity(lane.lane()), text, folder, () -> {}));
    }

    private static long served(ServedLane lane) {
        return lane.state(System.currentTimeMillis()).loadedVersion();
    }

    private static void awaitServed(ServedLane lane, long version) {
        Awaitility.await().atMost(Duration.ofSeconds(60)).until(() -> served(lane) == version);
    }

    private static void awaitSteps(DecodeEngine engine, DecodeRequest request, IntPredicate enough) {
        Awaitility.await()
                .atMost(Duration.ofSeconds(60))
                .until(() -> enough.test(
                        submit(engine, request).await().decoded().tally().steps()));
    }

    @Test
    void aMomentWithoutMemoryCostsOneRequestTheDevice() throws InterruptedException {
        HashModel model = repeating();
        Worker worker = new Worker(model, EngineOptions.defaults());
        try (DecodeEngine engine = worker.start()) {
            submit(engine, DecodeRequest.greedy("a", "s", new int[] {3, 4}, 20)).await();
            for (int i = 0; i < 20; i++) {
                StandInDriver.failAfter(0, NO_MEMORY);
                DecodeRequest request = DecodeRequest.greedy("b" + i, "s", new int[] {4, 5}, 20);
                assertThat(submit(engine, request).await().decoded().output())
                        .isEqualTo(Plain.decode(model, request, END, 20));
            }
        }
        StandInDriver.failAfter(-1, 0);
        assertThat(worker.drafts.broken()).isFalse();
    }

    @Test
    void aContextThatNoSlotHoldsIsTheHosts() throws InterruptedException {
        aContextThatNoSlotHoldsIsTheHosts(repeating());
        aContextThatNoSlotHoldsIsTheHosts(repeating().withInputsInMemory());
    }

    private void aContextThatNoSlotHoldsIsTheHosts(HashModel model) throws InterruptedException {
        Worker worker = new Worker(model, EngineOptions.defaults(), 40);
        try (DecodeEngine engine = worker.start()) {
            DecodeRequest request = DecodeRequest.greedy("a", "s", new int[] {3, 4}, 100);
            HeldAnswer growing = submit(engine, request);
            assertThat(growing.await().decoded().output()).isEqualTo(Plain.decode(model, request, END, 100));
            assertThat(growing.await().decoded().tally().predictions())
                    .as("what its drafts on the host have taught is reported")
                    .isPositive();
            assertThat(worker.drafts.fallBacks()).isEqualTo(1);
            int[] prompt = new SplittableRandom(1).ints(60, 1, 20).toArray();
            DecodeRequest tooLong = DecodeRequest.greedy("b", "s", prompt, 30);
            assertThat(submit(engine, tooLong).await().decoded().output())
                    .isEqualTo(Plain.decode(model, tooLong, END, 30));
            assertThat(worker.drafts.fallBacks()).isEqualTo(1);
        }
    }

    /** The model's logits are read where the engine's tensor lies: not one row is copied. */
    @Test
    void aRealModelsLogitsAreReadInPlace() throws Exception {
        TinyLlama tiny = TinyLlama.random(Shape.small(), 3);
        Path directory = ModelDirectory.write(folder.resolve("model"), tiny, WeightType.F32, 1);
        try (DjlModel model =
                DjlModel.load(new ModelOptions(directory, "cpu", ModelOptions.ComputeType.FP32, 0, 2_048, 1))) {
            List<int[]> onHost = decode(model, new HostDrafts());
            Worker worker = new Worker(model, EngineOptions.defaults());
            assertThat(decode(model, worker.drafts)).usingRecursiveComparison().isEqualTo(onHost);
            assertThat(worker.drafts.fallBacks()).isZero();
            assertThat(worker.drafts.copiedRows()).isZero();
            assertThat(worker.drafts.completes()).isTrue();
        }
    }

    private static List<int[]> decode(TargetModel model, DraftSource drafts) throws InterruptedException {
        List<int[]> outputs = new ArrayList<>();
        try (DecodeEngine engine = DecodeEngine.start("test", parts(model, drafts), EngineOptions.defaults())) {
            List<HeldAnswer> answers = new ArrayList<>();
            for (int i = 0; i < 6; i++) {
                answers.add(submit(engine, DecodeRequest.greedy("a" + i, "s", new int[] {1 + i, 2, 1 + i, 2}, 24)));
            }
            for (HeldAnswer answer : answers) {
                outputs.add(answer.await().decoded().output());
            }
        }
        return outputs;
    }

    private final class Worker {
        final ServedModel served;
        final ServedLanes lanes;
        final DeviceDrafts drafts;
        /** For the device's short-lived files. */
        final Path scratch = scratch();

        private final TargetModel model;
        private final EngineOptions options;

        Worker(TargetModel model, EngineOptions options) {
            this(model, options, model.contextTokensMax() + 65);
        }

        Worker(TargetModel model, EngineOptions options, int slotTokens) {
            this(model, options, slotTokens, 0);
        }

        Worker(TargetModel model, EngineOptions options, int slotTokens, long laneBytesMax) {
            this.model = model;
            this.options = options;
            served = new ServedModel("m", "1", model.vocabularySize(), "letters");
            lanes = new ServedLanes(served, FollowOptions.of(folder.toUri(), folder), 0);
            DeviceLimits limits =
                    new DeviceLimits(options.batchMax(), slotTokens, options.batchMax(), 32, laneBytesMax);
            drafts = new DeviceDrafts(
                    new CudaDevice(0, limits),
                    new HostDrafts(),
                    model.inputMemory(),
                    lanes::ofRequest,
                    served,
                    scratch);
        }

        private Path scratch() {
            try {
                return Files.createDirectories(folder.resolve("scratch"));
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
        }

        DecodeEngine start() {
            return DecodeEngine.start("test", parts(model, drafts), options);
        }
    }

    /** What the host drafts where the device does not: from the own context. */
    private static final class HostDrafts implements DraftSource {
        @Override
        public String strategy() {
            return "adaptive";
        }

        @Override
        public HostDrafting begin(String scope, int[] prompt) {
            AdaptiveDrafter drafter = new AdaptiveDrafter(Mixer.defaults(), DraftPolicy.defaults());
            drafter.begin(prompt, prompt.length);
            return new HostDrafting(drafter);
        }

        @Override
        public void draft(Step step) {
            for (int place = 0; place < step.size(); place++) {
                AdaptiveDrafter drafter =
                        step.request(place, HostDrafting.class).drafter();
                step.put(place, drafter.draft(LaneIndex.EMPTY, step.budget(place)), 1_000);
            }
        }

        @Override
        public void verified(Step step, StepOutcomes outcomes) {
            for (int place = 0; place < step.size(); place++) {
                AdaptiveDrafter drafter =
                        step.request(place, HostDrafting.class).drafter();
                drafter.verified(outcomes.tokens(place), outcomes.count(place));
            }
        }

        @Override
        public void close() {
            // Holds nothing.
        }
    }

    private record HostDrafting(AdaptiveDrafter drafter) implements RequestDrafts {
        @Override
        public long snapshotVersion() {
            return 0;
        }

        @Override
        public DraftLearning learned() {
            return new DraftLearning(drafter.logLoss(), drafter.predictions());
        }

        @Override
        public void close() {
            // Holds nothing.
        }
    }

    private static HashModel repeating() {
        return new HashModel(11, 24, 2, 3, 512, 8_192) {
            @Override
            public float[] logits(int[] context, int length) {
                float[] logits = super.logits(context, length);
                logits[END] = -100;
                return logits;
            }
        };
    }

    private static EngineParts parts(TargetModel model, DraftSource drafts) {
        return new EngineParts(
                model, new LetterTokenizer(), new int[] {END}, drafts, BudgetChoice.fixed(), EngineParts.Listener.NONE);
    }

    private static HeldAnswer submit(DecodeEngine engine, DecodeRequest request) {
        HeldAnswer held = new HeldAnswer();
        engine.submit(request, held);
        return held;
    }

    private static DecodeRequest withoutDrafts(DecodeRequest request) {
        return new DecodeRequest(
                request.id() + "-plain",
                request.scope(),
                request.prompt(),
                request.tokensMax(),
                request.sampling(),
                List.of(),
                false,
                true);
    }

    private static DecodeRequest request(SplittableRandom random, int number, int vocabularySize) {
        int[] prompt = random.ints(1 + random.nextInt(90), 1, vocabularySize).toArray();
        SamplingParameters sampling = random.nextBoolean()
                ? SamplingParameters.GREEDY
                : new SamplingParameters(
                        (float) random.nextDouble(0.1, 1.5),
                        random.nextBoolean() ? 0 : 5,
                        random.nextBoolean() ? 1 : 0.9f,
                        random.nextLong());
        String scope = random.nextBoolean() ? "s" : "t";
        return new DecodeRequest("r" + number, scope, prompt, 1 + random.nextInt(80), sampling, List.of(), true, true);
    }
}
