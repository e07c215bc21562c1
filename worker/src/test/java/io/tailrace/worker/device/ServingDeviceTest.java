package io.tailrace.worker.device;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.tailrace.client.follow.FollowOptions;
import io.tailrace.client.follow.ServedModel;
import io.tailrace.gpu.DeviceLostException;
import io.tailrace.testkit.StandInDriver;
import io.tailrace.worker.engine.Answer;
import io.tailrace.worker.engine.DecodeRequest;
import io.tailrace.worker.engine.TokenLogprob;
import io.tailrace.worker.model.HashModel;
import io.tailrace.worker.model.LanguageModel;
import io.tailrace.worker.model.LetterTokenizer;
import io.tailrace.worker.serve.DraftOptions;
import io.tailrace.worker.serve.ServingWorker;
import io.tailrace.worker.serve.ServingWorkerOptions;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A whole serving worker whose drafts and acceptance are a device's, the stand-in's. */
class ServingDeviceTest {
    private static final DeviceChoice CHOICE = new DeviceChoice("cpu", OptionalInt.of(0), "for the test");
    private static final int CONTEXT = 512;
    private static final int ILLEGAL_ADDRESS = 700;

    @TempDir
    Path folder;

    @BeforeEach
    void load() throws Exception {
        assumeTrue(StandInDriver.load(), "g++ is not installed (Debian: apt-get install g++)");
    }

    @Test
    void aWorkerServesWithTheDeviceAndGivesItBack() throws Exception {
        HashModel model = new HashModel(11, LetterTokenizer.VOCABULARY, 2, 3, CONTEXT, 4_096);
        ServingDevice device = ServingDevice.open(CHOICE, 8, 16, CONTEXT, 0);
        assertThat(device.description()).isEqualTo("cpu, drafts on the GPU: for the test; stand-in");
        try (ServingWorker worker = new ServingWorker(options(), language(model), device.drafts())) {
            worker.start();
            for (int i = 0; i < 5; i++) {
                assertThat(answer(worker, i).decoded().output()).isNotEmpty();
            }
            assertThat(worker.scrape())
                    .contains("tailrace_device_broken{worker=\"test\"} 0.0")
                    .contains("tailrace_device_fall_backs{worker=\"test\"} 0.0")
                    .containsPattern("tailrace_device_copied_rows\\{worker=\"test\"} [1-9]");
        }
        assertThat(StandInDriver.held()).isZero();
    }

    /** They hold answers. */
    @Test
    void filesThatAKilledWorkerLeftAreRemovedAtItsNextStart() throws Exception {
        Path left = Files.createDirectories(folder.resolve("cache").resolve("device-test"))
                .resolve("left.segment");
        Files.writeString(left, "an answer");
        HashModel model = new HashModel(11, LetterTokenizer.VOCABULARY, 2, 3, CONTEXT, 4_096);
        ServingDevice device = ServingDevice.open(CHOICE, 8, 16, CONTEXT, 0);
        new ServingWorker(options(), language(model), device.drafts()).close();
        assertThat(left).doesNotExist();
        assertThat(left.getParent()).isEmptyDirectory();
    }

    @Test
    void aDeviceWithoutRoomLeavesDraftsToTheHostAndSaysSo() {
        ServingDevice device = ServingDevice.open(CHOICE, 8, 16, 50_000_000, 0);
        assertThat(device.drafts()).isEmpty();
        assertThat(device.description())
                .contains("drafts on the CPU", "the GPU refused", "cuMemAlloc", "CUDA_ERROR_OUT_OF_MEMORY");
        assertThat(StandInDriver.held()).isZero();
    }

    @Test
    void aWorkerThatLosesItsDeviceIsNeitherLiveNorReady() throws Exception {
        HashModel model = new HashModel(11, LetterTokenizer.VOCABULARY, 2, 3, CONTEXT, 4_096);
        ServingDevice device = ServingDevice.open(CHOICE, 8, 16, CONTEXT, 0);
        try (ServingWorker worker = new ServingWorker(options(), language(model), device.drafts())) {
            worker.start();
            assertThat(answer(worker, 0).decoded().output()).isNotEmpty();
            assertThat(worker.live()).isTrue();
            StandInDriver.failAfter(0, ILLEGAL_ADDRESS);
            assertThatThrownBy(() -> answer(worker, 1)).hasRootCauseInstanceOf(DeviceLostException.class);
            assertThat(worker.live()).isFalse();
            assertThat(worker.notReady())
                    .hasValueSatisfying(why -> assertThat(why).contains("started again"));
        } finally {
            StandInDriver.failAfter(-1, 0);
            StandInDriver.relaunch();
        }
        assertThat(StandInDriver.held()).isZero();
    }

    @Test
    void aDeviceThatIsLostWhileItIsOpenedIsNotWorkedAround() {
        StandInDriver.failAfter(6, ILLEGAL_ADDRESS);
        try {
            assertThatThrownBy(() -> ServingDevice.open(CHOICE, 8, 16, CONTEXT, 0))
                    .isInstanceOf(DeviceLostException.class)
                    .hasMessageContaining("restart");
        } finally {
            StandInDriver.failAfter(-1, 0);
            StandInDriver.relaunch();
        }
        assertThat(StandInDriver.held()).isZero();
    }

    private ServingWorkerOptions options() {
        ServedModel served = new ServedModel("letters", "1", LetterTokenizer.VOCABULARY, "letters");
        FollowOptions follow = FollowOptions.of(folder.toUri(), folder.resolve("cache"));
        return ServingWorkerOptions.alone("test", served, follow).withDrafts(new DraftOptions("adaptive", false));
    }

    private static LanguageModel language(HashModel model) {
        return new LanguageModel(model, new LetterTokenizer(), Optional.empty(), new int[] {LetterTokenizer.END});
    }

    private static Answer answer(ServingWorker worker, int number) throws Exception {
        CompletableFuture<Answer> answer = new CompletableFuture<>();
        worker.submit(DecodeRequest.greedy("r" + number, "s", new int[] {3, 4}, 100), new Answer.Sink() {
            @Override
            public void tokens(int[] tokens, int count, String text, List<TokenLogprob> logprobs) {}

            @Override
            public void finished(Answer whole) {
                answer.complete(whole);
            }

            @Override
            public void failed(Throwable cause) {
                answer.completeExceptionally(cause);
            }
        });
        return answer.get(60, TimeUnit.SECONDS);
    }
}
