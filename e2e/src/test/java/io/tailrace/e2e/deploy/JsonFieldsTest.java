package io.tailrace.e2e.deploy;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** docs/reference/json-output.md names every field that a program may find in a command's file or in an answer's report. */
class JsonFieldsTest {
    private static final Pattern FIELD =
            Pattern.compile("\\b(?:json|result|figures|all|lane|point|run|into|row|repeated"
                    + "|other|freshness|draftMicros)\\.put\\(\\s*\"([A-Za-z0-9]+)\"");
    private static final Pattern OF_AN_ANSWER = Pattern.compile("\\.put\\(\"([A-Za-z]+(?:Micros|Version))\"");
    private static final List<String> WRITERS = List.of(
            "lab/src/main/java/io/tailrace/lab/bench",
            "lab/src/main/java/io/tailrace/lab/check",
            "lab/src/main/java/io/tailrace/lab/demo",
            "lab/src/main/java/io/tailrace/lab/experiment",
            "lab/src/main/java/io/tailrace/lab/load",
            "lab/src/main/java/io/tailrace/lab/replay/report",
            "cli/src/main/java/io/tailrace/cli/audit",
            "cli/src/main/java/io/tailrace/cli/fleet",
            "cli/src/main/java/io/tailrace/cli/snapshots");

    @Test
    void everyFieldIsDescribed() throws IOException {
        Set<String> fields = new TreeSet<>();
        for (String room : WRITERS) {
            fields.addAll(fields(room, FIELD));
        }
        fields.addAll(fields("worker/src/main/java/io/tailrace/worker/http/AnswerWriter.java", OF_AN_ANSWER));
        assertThat(fields)
                .as("the pattern finds what is written")
                .contains("tokensPerCpuSecond", "ratioMin", "hiddenShare", "logLossNats", "reportsLost")
                .contains("acceptedBySource", "firstTokenMicros", "curve");
        String page = RepositoryFiles.text("docs/reference/json-output.md");
        assertThat(fields).allSatisfy(field -> assertThat(page).contains("`" + field + "`"));
    }

    private static Set<String> fields(String folder, Pattern pattern) throws IOException {
        Set<String> fields = new TreeSet<>();
        try (Stream<Path> files = Files.walk(RepositoryFiles.root().resolve(folder))) {
            for (Path file :
                    files.filter(path -> path.toString().endsWith(".java")).toList()) {
                pattern.matcher(Files.readString(file))
                        .results()
                        .map((MatchResult found) -> found.group(1))
                        .forEach(fields::add);
            }
        }
        return fields;
    }
}
