package io.tailrace.suffix.example;

import static org.assertj.core.api.Assertions.assertThat;

import io.tailrace.suffix.LaneIndex;
import io.tailrace.suffix.OccurrenceIndex;
import io.tailrace.suffix.draft.Draft;
import io.tailrace.suffix.segment.FreshIndex;
import java.io.File;
import java.io.IOException;
import java.io.StringWriter;
import java.net.URISyntaxException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Stream;
import javax.tools.JavaCompiler;
import javax.tools.StandardJavaFileManager;
import javax.tools.ToolProvider;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The examples do what they say, and they compile where only the module's exported types are to be seen. */
class ExamplesTest {
    private static final Path SOURCES = Path.of("src/test/java/io/tailrace/suffix/example");

    @Test
    void anIndexSaysWhatFollowed() {
        int[][] answers = {{1, 2, 3, 4}, {9, 2, 3, 5}};
        assertThat(WhatFollows.whatFollows(answers, new int[] {7, 1, 2, 3})).containsExactly(4, 5);
    }

    @Test
    void aRequestTakesFewerStepsWhereItsAnswerWasGivenBefore() {
        int[] answer = {5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16};
        LaneIndex lane = new LaneIndex(List.of(), null, FreshIndex.of(List.of(answer)));
        int[] rest = Arrays.copyOfRange(answer, 2, answer.length);
        int alone = OneRequest.decode(new int[] {5, 6}, LaneIndex.EMPTY, greedy(rest));
        int shared = OneRequest.decode(new int[] {5, 6}, lane, greedy(rest));
        assertThat(alone).isEqualTo(rest.length);
        assertThat(shared).isLessThan(alone / 2);
    }

    @Test
    void mergedSegmentsCountWhatBothHold(@TempDir Path folder) throws IOException {
        int[] one = {1, 2, 3};
        int[] another = {2, 3, 2, 3};
        assertThat(SegmentFilesOfALane.count(folder, one, another, new int[] {2, 3}))
                .isEqualTo(3);
    }

    @Test
    void theExamplesUseExportedTypesOnly(@TempDir Path folder) throws IOException, URISyntaxException {
        Path module = Path.of(OccurrenceIndex.class
                .getProtectionDomain()
                .getCodeSource()
                .getLocation()
                .toURI());
        Path descriptor = Files.writeString(
                folder.resolve("module-info.java"), "module outsider { requires io.tailrace.suffix; }");
        List<File> sources = new ArrayList<>(List.of(descriptor.toFile()));
        try (Stream<Path> examples = Files.list(SOURCES)) {
            examples.filter(file -> !file.endsWith("ExamplesTest.java")).forEach(file -> sources.add(file.toFile()));
        }
        assertThat(sources).hasSize(4);
        List<String> options = List.of(
                "--module-path", module.toString(), "-d", folder.toString(), "-Xlint:all", "-Werror", "-proc:none");
        JavaCompiler compiler = ToolProvider.getSystemJavaCompiler();
        try (StandardJavaFileManager files = compiler.getStandardFileManager(null, null, null)) {
            StringWriter said = new StringWriter();
            boolean compiled = compiler.getTask(
                            said, files, null, options, null, files.getJavaFileObjectsFromFiles(sources))
                    .call();
            assertThat(compiled).as(said.toString()).isTrue();
        }
    }

    @Test
    void whatThePackagesQuoteStandsInTheExamples() throws IOException {
        requireQuoted("package-info.java", "WhatFollows.java");
        requireQuoted("draft/package-info.java", "OneRequest.java");
        requireQuoted("segment/package-info.java", "SegmentFilesOfALane.java");
    }

    private static void requireQuoted(String page, String example) throws IOException {
        String text = Files.readString(Path.of("src/main/java/io/tailrace/suffix", page));
        String quote = text.substring(text.indexOf("{@code\n") + "{@code\n".length(), text.indexOf("}</pre>"));
        assertThat(withoutSpace(Files.readString(SOURCES.resolve(example))))
                .as(page)
                .contains(withoutSpace(quote.replaceAll("(?m)^ \\*", "")));
    }

    private static String withoutSpace(String code) {
        return code.replaceAll("\\s+", "");
    }

    /** A model that gives this answer. */
    private static OneRequest.Verifier greedy(int[] answer) {
        int[] at = {0};
        return draft -> {
            int from = at[0];
            at[0] = Math.min(answer.length, from + accepted(draft, answer, from) + 1);
            return Arrays.copyOfRange(answer, Math.min(from, answer.length), at[0]);
        };
    }

    private static int accepted(Draft draft, int[] answer, int from) {
        int last = -1;
        int accepted = 0;
        for (int node = 0; node < draft.size() && from + accepted < answer.length; node++) {
            if (draft.parent(node) == last && draft.token(node) == answer[from + accepted]) {
                last = node;
                accepted++;
            }
        }
        return accepted;
    }
}
