package io.tailrace.client.follow.internal;

import static org.assertj.core.api.Assertions.assertThat;

import io.tailrace.client.follow.FollowOptions;
import io.tailrace.client.follow.ServedModel;
import io.tailrace.suffix.RememberedAnswer;
import io.tailrace.suffix.segment.CorruptSegmentException;
import io.tailrace.suffix.segment.Segment;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.io.TempDir;

/** What tests of answers on disk have in common: a folder, and what lies there. */
abstract class KeptFiles {
    static final ServedModel MODEL = new ServedModel("llama", "1", 50, "sha256:0");

    @TempDir
    Path folder;

    ServedLanes lanes() {
        return lanes(folder);
    }

    static ServedLanes lanes(Path folder) {
        return new ServedLanes(MODEL, FollowOptions.of(folder.toUri(), folder.resolve("cache")), 0);
    }

    Path kept() {
        return folder.resolve("kept");
    }

    static void keep(KeptAnswers answers, String scope, int token, long completedAtMillis) {
        answers.add(
                scope, "r" + completedAtMillis, "engine", RememberedAnswer.of(new int[] {token}), completedAtMillis);
    }

    Path folderOf(String scope) {
        return kept().resolve("llama%401").resolve(scope);
    }

    static List<String> documents(Path of) throws IOException {
        List<String> documents = new ArrayList<>();
        try (Stream<Path> all = Files.walk(of)) {
            for (Path file : all.filter(path -> path.toString().endsWith(".segment"))
                    .filter(Files::isRegularFile)
                    .toList()) {
                try (Segment segment = Segment.inspect(file)) {
                    for (int document = 0; document < segment.documents(); document++) {
                        for (int times = segment.multiplicity(document); times > 0; times--) {
                            documents.add(
                                    Arrays.toString(segment.answer(document).tokens()));
                        }
                    }
                } catch (CorruptSegmentException e) {
                    // Whose sidecar cannot be read is left out and stays, and nobody looks at it.
                    Path sidecar = Path.of(file.toString().replaceAll("segment$", "sidecar"));
                    assertThat(Files.isDirectory(sidecar)).as(e.getMessage()).isTrue();
                }
            }
        }
        return documents;
    }

    Stream<Path> files(String ending) throws IOException {
        return files(kept(), ending);
    }

    static Stream<Path> files(Path of, String ending) throws IOException {
        try (Stream<Path> all = Files.walk(of)) {
            return all
                    .filter(Files::isRegularFile)
                    .filter(path -> !path.endsWith(".lock"))
                    .filter(path -> path.toString().endsWith(ending))
                    .toList()
                    .stream();
        }
    }

    /** Nobody can read it then, whoever asks: as others cannot what one user has closed. What it was lies beside the folder. */
    void makeUnreadable(Path file) throws IOException {
        Files.move(file, folder.resolve(file.getFileName()));
        Files.createSymbolicLink(file, file);
    }

    void mend(Path file) throws IOException {
        Files.move(folder.resolve(file.getFileName()), file, StandardCopyOption.REPLACE_EXISTING);
    }

    static void flip(Path file, long at) throws IOException {
        try (FileChannel channel = FileChannel.open(file, StandardOpenOption.READ, StandardOpenOption.WRITE)) {
            ByteBuffer one = ByteBuffer.allocate(1);
            channel.read(one, at);
            one.put(0, (byte) ~one.get(0)).flip();
            channel.write(one, at);
        }
    }
}
