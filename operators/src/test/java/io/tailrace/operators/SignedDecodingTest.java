package io.tailrace.operators;

import static org.assertj.core.api.Assertions.assertThat;

import io.tailrace.operators.control.ControlCommand;
import io.tailrace.operators.signals.SignalDecoding;
import io.tailrace.schemas.Command;
import io.tailrace.schemas.Control;
import io.tailrace.schemas.EventKind;
import io.tailrace.schemas.RecordCodec;
import io.tailrace.schemas.SnapshotKey;
import io.tailrace.schemas.Topic;
import io.tailrace.schemas.signing.RecordSigner;
import io.tailrace.schemas.signing.TrustedKeys;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.apache.flink.streaming.api.operators.StreamFlatMap;
import org.apache.flink.streaming.util.OneInputStreamOperatorTestHarness;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** With trusted keys the job takes signed manifests, commands and events only. */
@SuppressWarnings("try") // a harness may be interrupted while it closes; then the test fails, as it should
final class SignedDecodingTest {
    private static final RecordSigner OLD = RecordSigner.generated();
    private static final RecordSigner NEW = RecordSigner.generated();
    private static final RecordSigner STRANGER = RecordSigner.generated();
    private static final TrustedKeys TRUSTED = TrustedKeys.of(OLD.publicKey(), NEW.publicKey());
    private static final byte[] KEY = SnapshotKey.of(Samples.manifest(1)).bytes();
    private static final byte[] OTHER = "other".getBytes(StandardCharsets.UTF_8);

    private static RecordDecoding<?> decoding(Topic topic) {
        return switch (topic) {
            case CONTROL -> ControlCommand.Decoding.ofOperators(TRUSTED);
            case EVENTS -> SignalDecoding.ofEvents(TRUSTED);
            default -> SignalDecoding.ofSnapshots(TRUSTED);
        };
    }

    private static byte[] value(Topic topic) {
        if (topic == Topic.EVENTS) {
            return new Notice(EventKind.DRIFT, "a test", Map.of())
                    .toRecord(Samples.LANE, 1_000, 1)
                    .value();
        }
        return topic == Topic.CONTROL
                ? RecordCodec.CONTROL.encode(Control.newBuilder()
                        .setCommandId("key")
                        .setCommand(Command.UNPIN)
                        .setIssuer("test")
                        .setIssuedAt(Instant.EPOCH)
                        .build())
                : RecordCodec.SNAPSHOT_MANIFEST.encode(Samples.manifest(1));
    }

    static Stream<Arguments> forged() {
        return Stream.of(Topic.CONTROL, Topic.SNAPSHOTS, Topic.EVENTS).flatMap(topic -> {
            byte[] value = value(topic);
            String name = topic.name("");
            return Stream.of(
                    Arguments.of(topic, "unsigned", value, null),
                    Arguments.of(topic, "of an unknown key", value, STRANGER.sign(name, KEY, value)),
                    Arguments.of(topic, "of another key", value, OLD.sign(name, OTHER, value)),
                    Arguments.of(topic, "of another topic", value, OLD.sign("x-" + name, KEY, value)),
                    Arguments.of(topic, "of another value", value, OLD.sign(name, KEY, OTHER)),
                    Arguments.of(topic, "too short", value, new byte[71]),
                    Arguments.of(topic, "unsigned withdrawal", null, null),
                    Arguments.of(topic, "withdrawal of an unknown key", null, STRANGER.sign(name, KEY, null)));
        });
    }

    @ParameterizedTest(name = "{0}: {1}")
    @MethodSource("forged")
    void whatIsForgedIsSkippedAndCounted(Topic topic, String what, byte[] value, byte[] signature) throws Exception {
        RecordDecoding<?> decoding = decoding(topic);
        try (var harness = new OneInputStreamOperatorTestHarness<>(new StreamFlatMap<>(decoding))) {
            harness.open();
            harness.processElement(new RawRecord(topic.name(""), 0, 0, 0, value, KEY, signature), 0);
            assertThat(harness.getOutput()).isEmpty();
            assertThat(decoding.skipped()).isEqualTo(1);
        }
    }

    @Test
    void whatAnyOfTheTrustedKeysSignedIsTaken() throws Exception {
        for (Topic topic : List.of(Topic.CONTROL, Topic.SNAPSHOTS, Topic.EVENTS)) {
            for (RecordSigner signer : List.of(OLD, NEW)) {
                RecordDecoding<?> decoding = decoding(topic);
                try (var harness = new OneInputStreamOperatorTestHarness<>(new StreamFlatMap<>(decoding))) {
                    harness.open();
                    byte[] value = value(topic);
                    byte[] signature = signer.sign(topic.name(""), KEY, value);
                    harness.processElement(new RawRecord(topic.name(""), 0, 0, 0, value, KEY, signature), 0);
                    assertThat(harness.getOutput()).hasSize(1);
                    assertThat(decoding.skipped()).isZero();
                }
            }
        }
    }
}
