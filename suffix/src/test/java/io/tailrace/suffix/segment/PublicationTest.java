package io.tailrace.suffix.segment;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.IntBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class PublicationTest {
    @TempDir
    Path folder;

    @Test
    void filesOfTheMostBytesAreWrittenAndLargerOnesAreRefusedBeforeTheyAre() throws IOException {
        for (int times : new int[] {1, 200}) { // the segment is the larger file, and the sidecar
            List<Document> documents = documents(times);
            Path roomy = folder.resolve("roomy-" + times);
            long bytes = Math.max(write(documents, roomy, Long.MAX_VALUE), sidecarBytes(roomy));
            assertThat(write(documents, folder.resolve("just-" + times), bytes)).isPositive();
            Path tight = folder.resolve("tight-" + times);
            assertThatThrownBy(() -> write(documents, tight, bytes - 1))
                    .isInstanceOf(SegmentTooLargeException.class)
                    .hasMessageContainingAll(Generations.LANE.lane(), Long.toString(bytes), "merge fewer segments");
            assertThat(tight).isEmptyDirectory();
        }
    }

    private static long write(List<Document> documents, Path folder, long bytesMax) throws IOException {
        try (Publication publication = new Publication(folder, bytesMax)) {
            SegmentSummary summary = publication.write(documents, SegmentContent.of(documents), Generations.LANE);
            publication.publish(summary);
            return summary.sizeBytes();
        }
    }

    private static long sidecarBytes(Path folder) throws IOException {
        try (var files = Files.list(folder)) {
            return Files.size(files.filter(file -> file.toString().endsWith(Publication.SIDECAR_SUFFIX))
                    .findFirst()
                    .orElseThrow());
        }
    }

    private static List<Document> documents(int times) {
        Document.Folder documents = new Document.Folder();
        for (int i = 0; i < times; i++) {
            Compaction.Input generation = Generations.generation(i, 1, 2, 3, 4);
            documents
                    .fold(IntBuffer.wrap(generation.answer().text()), 0)
                    .add(
                            generation.entry(),
                            generation.answer().signature(),
                            generation.answer().copied());
        }
        return documents.documents();
    }
}
