package io.tailrace.jobs.kafka;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.tailrace.jobs.options.IndexJobOptions;
import io.tailrace.operators.OutgoingRecord;
import io.tailrace.operators.RawRecord;
import io.tailrace.operators.control.ControlCommand;
import io.tailrace.schemas.Command;
import io.tailrace.schemas.Topic;
import io.tailrace.schemas.signing.KeyFileException;
import io.tailrace.schemas.signing.RecordSigner;
import io.tailrace.schemas.signing.SignatureFormat;
import io.tailrace.schemas.signing.TrustedKeys;
import io.tailrace.schemas.signing.WriterKeys;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.security.Key;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.Optional;
import org.apache.flink.api.common.functions.util.ListCollector;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.header.Header;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What the job writes carries its signature, and what it reads brings key and signature along. */
final class SignedEndsTest {
    private static final RecordSigner JOB = RecordSigner.generated();

    @TempDir
    private Path folder;

    private Path signing;
    private Path trusted;

    @BeforeEach
    void writeKeys() throws IOException {
        signing = pem("signing.pem", "PRIVATE KEY", JOB.privateKey());
        trusted = pem("trusted.pem", "PUBLIC KEY", JOB.publicKey());
    }

    private Path pem(String name, String label, Key key) throws IOException {
        Path file = Files.writeString(
                folder.resolve(name),
                "-----BEGIN %s-----\n%s\n-----END %s-----\n"
                        .formatted(label, Base64.getEncoder().encodeToString(key.getEncoded()), label));
        return Files.setPosixFilePermissions(file, PosixFilePermissions.fromString("rw-------"));
    }

    private static ProducerRecord<byte[], byte[]> written(WriterKeys keys, OutgoingRecord record) {
        KafkaEnds.Serializer serializer = new KafkaEnds.Serializer("p-snapshots", keys);
        serializer.open(null, null);
        return serializer.serialize(record, null, null);
    }

    @Test
    void manifestsAndTombstonesAreSigned() {
        WriterKeys keys = WriterKeys.read(Optional.of(signing), List.of(trusted));
        for (OutgoingRecord record :
                List.of(OutgoingRecord.of("m@1/s#7", new byte[] {1, 2}), OutgoingRecord.tombstone("m@1/s#7"))) {
            ProducerRecord<byte[], byte[]> written = written(keys, record);
            Header header = written.headers().lastHeader(SignatureFormat.HEADER);
            assertThat(header).isNotNull();
            assertThatCode(() -> TrustedKeys.of(JOB.publicKey())
                            .check("p-snapshots", record.key(), record.value(), header.value()))
                    .doesNotThrowAnyException();
        }
    }

    @Test
    void withoutAKeyNothingIsSigned() {
        assertThat(written(WriterKeys.none(), OutgoingRecord.tombstone("m@1/s#7"))
                        .headers())
                .isEmpty();
    }

    /** The file may be replaced under a running job; nobody would read what a stranger's key signs. */
    @Test
    void aTaskWhoseKeyIsNoLongerTrustedDoesNotStart() throws IOException {
        WriterKeys keys = WriterKeys.read(Optional.of(signing), List.of(trusted));
        pem("signing.pem", "PRIVATE KEY", RecordSigner.generated().privateKey());
        assertThatThrownBy(() -> written(keys, OutgoingRecord.tombstone("m@1/s#7")))
                .isInstanceOf(KeyFileException.class)
                .hasMessageContaining("expected one of the trusted keys");
    }

    private static RawRecord read(boolean signed, byte[] signature) {
        ConsumerRecord<byte[], byte[]> record = new ConsumerRecord<>("snapshots", 0, 7, new byte[] {1}, new byte[] {2});
        if (signature != null) {
            record.headers().add(SignatureFormat.HEADER, signature);
        }
        List<RawRecord> out = new ArrayList<>();
        new KafkaEnds.Deserializer(signed, new ReadTimes()).deserialize(record, new ListCollector<>(out));
        return out.get(0);
    }

    @Test
    void ofSignedTopicsKeyAndSignatureAreReadToo() {
        byte[] signature = {3};
        assertThat(read(true, signature).key()).containsExactly(1);
        assertThat(read(true, signature).signature()).containsExactly(3);
        assertThat(read(true, null).signature()).isNull();
        assertThat(read(false, signature).key()).isNull();
        assertThat(read(false, signature).signature()).isNull();
    }

    @Test
    void whatIsSignedWaitsForItsCheckpoint() {
        KafkaEnds ends = new KafkaEnds(
                IndexJobOptions.parse(
                                "--bootstrap", "b:1", "--store", "file:///s", "--model", "m@1,vocabulary=9,tokenizer=t")
                        .kafka(),
                WriterKeys.none());
        assertThatThrownBy(() -> ends.immediateSink(Topic.SNAPSHOTS)).isInstanceOf(IllegalArgumentException.class);
    }

    /** A claim that was brought back would be the last one. */
    @Test
    void ofTheHistoryOfCommandsTheFirstOfEachIdCounts() {
        List<ControlCommand> history =
                List.of(claim("first"), claim("second"), claim("first"), claim("third"), claim("second"));
        assertThat(KafkaControlHistory.firsts(history))
                .extracting(ControlCommand::commandId)
                .containsExactly("first", "second", "third");
    }

    private static ControlCommand claim(String id) {
        return new ControlCommand(id, Command.CLAIM, null, null, null, 0, 0, 0, "job", 1);
    }
}
