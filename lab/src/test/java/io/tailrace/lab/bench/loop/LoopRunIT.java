package io.tailrace.lab.bench.loop;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.tailrace.cli.Tailrace;
import io.tailrace.client.follow.FreshFrom;
import io.tailrace.lab.replay.NoLag;
import io.tailrace.lab.replay.ReplayCase;
import io.tailrace.suffix.RememberedAnswer;
import io.tailrace.suffix.segment.Segment;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Random;
import java.util.Set;
import java.util.stream.Stream;
import org.assertj.core.data.Offset;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

@Tag("full")
class LoopRunIT {
    private static final int REQUESTS = 60;
    private static final int RATE = 30;

    @TempDir
    Path folder;

    @Test
    void theJobKeepsTailsOfPromptsThatAreSentAndNoneOfOthers() throws Exception {
        assertThat(tailsIn(run("sent", true))).containsExactly(RememberedAnswer.TAIL_TOKENS);
        assertThat(tailsIn(run("not-sent", false))).containsExactly(0);
    }

    @Test
    void fleetWithoutPromptsIsHeldAgainstAnIndexWithoutThem() throws Exception {
        List<String> lines = new ArrayList<>();
        for (ReplayCase request : cases()) {
            lines.add("{\"id\":\"%d\",\"prompt\":%s,\"response\":%s}"
                    .formatted(lines.size(), Arrays.toString(request.prompt()), Arrays.toString(request.response())));
        }
        Path input = Files.write(folder.resolve("some.jsonl"), lines);
        Path json = folder.resolve("fleet.json");
        Tailrace.commandLine()
                .execute(
                        "bench",
                        "fleet",
                        "--no-prompts",
                        "--workers",
                        "2",
                        "--requests-per-second",
                        Integer.toString(RATE),
                        "--input",
                        input.toString(),
                        "--json",
                        json.toString());
        JsonNode figures = new ObjectMapper().readTree(json.toFile());
        assertThat(figures.path("prompts").isBoolean()).isTrue();
        assertThat(figures.path("prompts").asBoolean()).isFalse();
        double without = NoLag.acceptedPerStep(NoLag.serve(cases(), false), REQUESTS / 2, REQUESTS);
        assertThat(figures.path("rows").path(0).path("noLag").asDouble()).isEqualTo(without, Offset.offset(1e-9));
        assertThat(NoLag.acceptedPerStep(NoLag.serve(cases(), true), REQUESTS / 2, REQUESTS))
                .isGreaterThan(without);
    }

    private Path run(String name, boolean prompts) throws Exception {
        new LoopRun(cases(), 2, RATE, FreshFrom.FLEET, prompts).run(folder.resolve(name));
        return folder.resolve(name);
    }

    /** A few answers over and over, each to prompts with one end. */
    private static List<ReplayCase> cases() {
        Random random = new Random(5);
        List<ReplayCase> cases = new ArrayList<>();
        for (int i = 0; i < REQUESTS; i++) {
            Random kind = new Random(random.nextInt(6));
            int[] prompt = {random.nextInt(1_000), kind.nextInt(9_000), kind.nextInt(9_000), kind.nextInt(9_000)};
            cases.add(ReplayCase.of(prompt, kind.ints(6, 0, 9_000).toArray()));
        }
        return cases;
    }

    /** Lengths of the tails in all segments of the store. */
    private static Set<Integer> tailsIn(Path run) throws IOException {
        Set<Integer> tails = new HashSet<>();
        try (Stream<Path> files = Files.walk(run.resolve("store"))) {
            for (Path file :
                    files.filter(each -> each.toString().endsWith(".segment")).toList()) {
                try (Segment segment = Segment.inspect(file)) {
                    for (int document = 0; document < segment.documents(); document++) {
                        tails.add(segment.answer(document).promptTail().length);
                    }
                }
            }
        }
        return tails;
    }
}
