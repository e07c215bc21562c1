package io.tailrace.client.example;

import static org.assertj.core.api.Assertions.assertThat;

import io.tailrace.client.ClientOptions;
import io.tailrace.client.TailraceClient;
import io.tailrace.client.budget.BudgetChoice;
import io.tailrace.client.follow.FollowOptions;
import io.tailrace.client.follow.ServedModel;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Random;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** An engine of nobody's stands on the client's face: it runs, alone, and needs nothing of the client that is internal. */
class ExampleTest {
    private static final Path SOURCES = Path.of("src/test/java/io/tailrace/client/example");
    private static final Pattern IMPORT = Pattern.compile("import io\\.tailrace\\.client\\.([\\w.]+);");
    private static final ServedModel MODEL = new ServedModel("llama", "1", 1_000, "fingerprint");

    @TempDir
    private Path folder;

    @Test
    void twoRequestsAtOnceDraftFromWhatWasAnsweredBefore() throws IOException {
        int[] prompt = {7, 8, 9};
        int[] answer = new Random(1).ints(200, 0, 1_000).toArray();
        int[] other = new Random(2).ints(100, 0, 1_000).toArray();
        ClientOptions options =
                ClientOptions.alone("engine-1", MODEL, FollowOptions.of(folder.toUri(), folder.resolve("cache")));
        try (TailraceClient client = TailraceClient.open(options);
                SmallEngine engine = new SmallEngine(client, BudgetChoice.fixed(), 2)) {
            client.start();
            SmallRequest first = engine.begin("a", "acme", prompt, answer);
            engine.serve(List.of(first));
            SmallRequest again = engine.begin("b", "acme", prompt, answer);
            SmallRequest foreign = engine.begin("c", "other", prompt, other);
            engine.serve(List.of(again, foreign));
            assertThat(first.steps()).as("nothing was known").isGreaterThan(150);
            assertThat(again.steps()).as("the answer was known").isLessThan(50);
            assertThat(foreign.steps())
                    .as("another scope's answers are nobody else's")
                    .isGreaterThan(75);
            assertThat(client.states()).hasSize(2);
            assertThat(client.live()).isTrue();
        }
    }

    @Test
    void theExampleNeedsNothingInternal() throws IOException {
        assertThat(imported()).contains("TailraceClient").noneMatch(type -> type.contains("internal"));
    }

    private static Set<String> imported() throws IOException {
        try (Stream<Path> files = Files.list(SOURCES)) {
            return files.flatMap(file -> IMPORT.matcher(read(file)).results())
                    .map(MatchResult::group)
                    .map(line -> IMPORT.matcher(line).replaceAll("$1"))
                    .collect(Collectors.toCollection(TreeSet::new));
        }
    }

    private static String read(Path file) {
        try {
            return Files.readString(file);
        } catch (IOException e) {
            throw new java.io.UncheckedIOException(e);
        }
    }
}
