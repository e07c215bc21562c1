package io.tailrace.lab.load;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.tailrace.client.KafkaAccess;
import io.tailrace.client.follow.FollowOptions;
import io.tailrace.client.follow.FreshFrom;
import io.tailrace.client.follow.ServedModel;
import io.tailrace.lab.recorded.RecordedInputOptions;
import io.tailrace.schemas.signing.TrustedKeys;
import io.tailrace.suffix.KeptOfPrompts;
import java.net.URI;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;

class OptionsTest {
    private static final ServedModel MODEL = new ServedModel("m", "1", 100, "tok");
    private static final FollowOptions FOLLOW = FollowOptions.of(URI.create("file:/store"), Path.of("cache"));

    @Test
    void defaultsAreThoseStated() {
        assertThat(LoadWorker.Serving.defaults())
                .isEqualTo(new LoadWorker.Serving(16, false, true, new RecordedVerifier.StepTime(15_000, 50)));
        assertThat(FOLLOW)
                .isEqualTo(new FollowOptions(
                        URI.create("file:/store"),
                        Path.of("cache"),
                        8L << 30,
                        256,
                        1_000_000,
                        16_000_000,
                        FreshFrom.FLEET,
                        200,
                        TrustedKeys.none(),
                        KeptOfPrompts.usual()));
        assertThat(RecordedInputOptions.of(100))
                .isEqualTo(new RecordedInputOptions(100, "default", 4_000, 64 << 20, 16_000_000));
        assertThat(PacedLoad.Pace.ofRealServers(2)).isEqualTo(new PacedLoad.Pace(5, Long.MAX_VALUE, 64));
        assertThat(worker("w").workerClass()).isEqualTo("replay-simulated");
    }

    @Test
    void boundsAreChecked() {
        assertThatThrownBy(() -> new LoadWorker.Serving(65, false, true, RecordedVerifier.StepTime.defaults()))
                .hasMessage("budgetMax must be 0 to 64, got 65");
        assertThatThrownBy(() -> new RecordedVerifier.StepTime(-1, 0)).hasMessageContaining("must not be negative");
        assertThatThrownBy(() -> FOLLOW.withLanesMax(0)).hasMessage("lanesMax must be at least 1, got 0");
        assertThatThrownBy(() -> FOLLOW.withFreshTokensMax(-1)).hasMessageContaining("freshTokensMax");
        assertThatThrownBy(() -> FOLLOW.withFreshTokensAllMax(0))
                .hasMessage("freshTokensAllMax must be at least 1, got 0");
        assertThatThrownBy(() -> new ServedModel("m", "1", 0, "tok")).hasMessageContaining("vocabularySize");
        assertThatThrownBy(() -> new ServedModel("", "1", 1, "tok")).hasMessageContaining("model");
        assertThatThrownBy(() -> new ServedModel("m", "1", 1, "")).hasMessageContaining("tokenizerFingerprint");
        assertThatThrownBy(() -> RecordedInputOptions.of(0)).hasMessageContaining("vocabularySize");
        assertThatThrownBy(() -> RecordedInputOptions.of(9).withPromptTokensMax(-1))
                .hasMessageContaining("-1");
        assertThatThrownBy(() -> KafkaAccess.of(" ")).hasMessageContaining("bootstrap");
        assertThatThrownBy(() -> worker("a#b")).hasMessageContaining("no '#', got 'a#b'");
    }

    @Test
    void processOptionsMustAgreeOnTheVocabulary() {
        assertThatThrownBy(() -> new LoadProcess.Options(
                        worker("w"), List.of(), RecordedInputOptions.of(99), PacedLoad.Pace.ofRealServers(1), "::", 0))
                .hasMessageContaining("vocabulary size 99 must be the model's, 100");
        assertThatThrownBy(() -> new LoadProcess.Options(
                        worker("w"),
                        List.of(),
                        RecordedInputOptions.of(100),
                        PacedLoad.Pace.ofRealServers(1),
                        "::",
                        -2))
                .hasMessageContaining("metricsPort must be -1 to 65535, got -2");
    }

    private static LoadWorker.Options worker(String name) {
        return LoadWorker.Options.of(name, MODEL, KafkaAccess.of("localhost:1"), FOLLOW);
    }
}
