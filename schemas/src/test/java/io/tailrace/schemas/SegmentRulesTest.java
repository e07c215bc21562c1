package io.tailrace.schemas;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** No reader gets to see a name that is a way out of its folder. */
class SegmentRulesTest {
    private static final String SHA256 = "0a".repeat(32);
    private static final String PATH = "segments/toy@1.5/a%2Fb/" + SHA256 + ".segment";

    private static SnapshotManifest manifest(String path, String sha256, long sizeBytes) {
        SnapshotManifest manifest = (SnapshotManifest) Samples.all().get(RecordCodec.SNAPSHOT_MANIFEST);
        manifest.setSegments(List.of(segment(path, sha256, sizeBytes)));
        return manifest;
    }

    private static SegmentReference segment(String path, String sha256, long sizeBytes) {
        SnapshotManifest sample = (SnapshotManifest) Samples.all().get(RecordCodec.SNAPSHOT_MANIFEST);
        SegmentReference segment = sample.getSegments().get(0);
        segment.setPath(path);
        segment.setSha256(sha256);
        segment.setSizeBytes(sizeBytes);
        return segment;
    }

    private static void isRefused(SnapshotManifest manifest) {
        byte[] bytes = RecordCodec.SNAPSHOT_MANIFEST.encode(manifest);
        assertThatThrownBy(() -> RecordCodec.SNAPSHOT_MANIFEST.decode(bytes))
                .isInstanceOf(UndecodableRecordException.class)
                .hasMessageContaining("SnapshotManifest breaks a rule");
    }

    @Test
    void whatTheJobWritesIsRead() throws Exception {
        SnapshotManifest manifest = manifest(PATH, SHA256, 4_096);
        assertThat(RecordCodec.SNAPSHOT_MANIFEST.decode(RecordCodec.SNAPSHOT_MANIFEST.encode(manifest)))
                .isEqualTo(manifest);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "../x",
                "/etc/x",
                "x",
                "..\\x",
                "0A0a0a0a0a0a0a0a0a0a0a0a0a0a0a0a0a0a0a0a0a0a0a0a0a0a0a0a0a0a0a0a",
                "0a0a0a0a0a0a0a0a0a0a0a0a0a0a0a0a0a0a0a0a0a0a0a0a0a0a0a0a0a0a0a0a\n",
                "0a0a0a0a0a0a0a0a0a0a0a0a0a0a0a0a0a0a0a0a0a0a0a0a0a0a0a0a0a0a0a/a"
            })
    void aHashThatIsNoneIsRefused(String sha256) {
        isRefused(manifest(PATH, sha256, 4_096));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "../x",
                "segments/../../x",
                "segments/./x",
                "segments//x",
                "/segments/x",
                "segments/",
                "segments\\x",
                "C:/x",
                "file:x",
                "segments/a\u0000b"
            })
    void aPathThatLeavesTheStoreIsRefused(String path) {
        isRefused(manifest(path, SHA256, 4_096));
    }

    @Test
    void numbersBelowTheirRangeAreRefused() {
        isRefused(manifest(PATH, SHA256, -1));
        SnapshotManifest manifest = manifest(PATH, SHA256, 4_096);
        manifest.setVersion(0);
        isRefused(manifest);
    }

    @Test
    void aChangeOfRetentionKeepsToTheSameRules() throws Exception {
        Event event = (Event) Samples.all().get(RecordCodec.EVENT);
        event.setRetention(new RetentionChange(List.of(SHA256), List.of(segment(PATH, SHA256, 1))));
        byte[] sound = RecordCodec.EVENT.encode(event);
        assertThat(RecordCodec.EVENT.decode(sound)).isEqualTo(event);
        for (RetentionChange bad : List.of(
                new RetentionChange(List.of("../x"), List.of()),
                new RetentionChange(List.of(SHA256), List.of(segment("../x", SHA256, 1))),
                new RetentionChange(List.of(SHA256), List.of(segment(PATH, "../x", 1))))) {
            event.setRetention(bad);
            byte[] bytes = RecordCodec.EVENT.encode(event);
            assertThatThrownBy(() -> RecordCodec.EVENT.decode(bytes)).isInstanceOf(UndecodableRecordException.class);
        }
    }
}
