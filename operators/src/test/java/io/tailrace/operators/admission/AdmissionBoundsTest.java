package io.tailrace.operators.admission;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;

import io.tailrace.operators.RawRecord;
import io.tailrace.operators.Samples;
import io.tailrace.operators.store.FileHash;
import io.tailrace.operators.store.FlinkFileStore;
import io.tailrace.operators.store.SegmentLayout;
import io.tailrace.schemas.Generation;
import io.tailrace.schemas.Lane;
import io.tailrace.schemas.LaneId;
import io.tailrace.schemas.RecordCodec;
import io.tailrace.schemas.RejectionReason;
import io.tailrace.schemas.TokenIds;
import io.tailrace.schemas.Topic;
import io.tailrace.suffix.PromptSignatures;
import io.tailrace.suffix.PromptTails;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What is admitted can be stored, and what is refused fits its topic, whatever somebody sends. */
final class AdmissionBoundsTest {
    private static final long NOW = 1_700_000_000_000L;

    @TempDir
    Path folder;

    private static AdmissionRules rules(ModelCatalog models, boolean keepBytes) {
        return new AdmissionRules(new AdmissionOptions(
                models,
                AdmissionOptions.Limits.defaults(),
                List.of(),
                8,
                Set.of(),
                PromptTails.defaults(),
                PromptSignatures.defaults(),
                10,
                keepBytes));
    }

    private static byte[] generation(String model, String revision, String scope, String requestId) {
        return RecordCodec.GENERATION.encode(new Generation(
                requestId,
                new Lane(model, revision, scope),
                "gateway-7",
                null,
                TokenIds.toList(new int[] {1, 2, 3}),
                Instant.ofEpochMilli(NOW - 10),
                Instant.ofEpochMilli(NOW),
                null));
    }

    private static AdmissionRules.Verdict judge(ModelCatalog models, boolean keepBytes, byte[] bytes) {
        return rules(models, keepBytes).judge(new RawRecord("generations", 3, 17, NOW, bytes), NOW);
    }

    private void storable(ModelCatalog models, byte[] record) throws Exception {
        AdmissionRules.Verdict verdict = judge(models, false, record);
        if (!verdict.isAdmitted()) {
            return;
        }
        String lane = verdict.admitted().lane();
        Path local = Files.write(folder.resolve("local"), new byte[] {1});
        assertThatCode(() -> {
                    models.identity(lane);
                    new FlinkFileStoreOpener(folder).put(local, SegmentLayout.segmentPath(lane, "a".repeat(64)));
                })
                .as("what is admitted can be folded, else its lane stands still for ever")
                .doesNotThrowAnyException();
    }

    private record FlinkFileStoreOpener(Path root) {
        void put(Path local, String path) throws Exception {
            FlinkFileStore.factory(root.resolve("store").toUri()).open().put(local, path, FileHash.sha256(local));
        }
    }

    @Test
    void aScopeWithTwoDotsWithinCanBeIndexed() throws Exception {
        storable(Samples.MODELS, generation("toy", "1", "acme..eu", "request-1"));
    }

    @Test
    void namesThatNoFolderCanHaveAreRefused() {
        String wide = "\u6f22".repeat(LaneId.SCOPE_CHARS_MAX);
        AdmissionRules.Verdict verdict = judge(Samples.MODELS, false, generation("toy", "1", wide, "request-1"));
        assertThat(verdict.isAdmitted()).isFalse();
        assertThat(verdict.rejection().getReason()).isEqualTo(RejectionReason.FIELD_TOO_LONG);
        assertThat(verdict.rejection().getDetail()).contains("255 bytes");
    }

    @Test
    void aLaneOfTheLongestNamesCanBeIndexed() throws Exception {
        ModelCatalog.Model model = new ModelCatalog.Model("m".repeat(120), "r".repeat(100), 1000, "tok");
        storable(
                new ModelCatalog(List.of(model)),
                generation(model.model(), model.revision(), "\u6f22".repeat(LaneId.SCOPE_CHARS_MAX), "request-1"));
    }

    private static int rejectionBytes(boolean keepBytes, byte[] record) {
        AdmissionRules.Verdict verdict = judge(Samples.MODELS, keepBytes, record);
        assertThat(verdict.isAdmitted()).isFalse();
        return RejectedRecord.of(verdict.rejection()).record().value().length;
    }

    /** Bytes that are no UTF-8 become three each. */
    @Test
    void aRejectionOfARecordWithALongBrokenRequestIdIsNoLargerThanTopicsTake() {
        byte[] record = generation("toy", "1", "acme", "x".repeat(4 << 20));
        for (int i = 0; i < record.length; i++) {
            record[i] = record[i] == 'x' ? (byte) 0xFF : record[i];
        }
        assertThat(rejectionBytes(false, record)).isLessThan(Topic.RECORD_BYTES_MAX);
    }

    @Test
    void aRejectionWithTheBytesOfALargeRecordIsNoLargerThanTopicsTake() {
        byte[] record = generation("toy", "1", "acme", "x".repeat(5 << 20));
        assertThat(rejectionBytes(true, record)).isLessThan(Topic.RECORD_BYTES_MAX);
        byte[] noRecord = "y".repeat(Topic.RECORD_BYTES_MAX - 100).getBytes(StandardCharsets.UTF_8);
        assertThat(rejectionBytes(true, noRecord)).isLessThan(Topic.RECORD_BYTES_MAX);
    }
}
