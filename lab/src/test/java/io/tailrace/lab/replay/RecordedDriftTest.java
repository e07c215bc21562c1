package io.tailrace.lab.replay;

import static org.assertj.core.api.Assertions.assertThat;

import io.tailrace.lab.recorded.RecordedInputOptions;
import io.tailrace.suffix.learn.DriftDetector;
import io.tailrace.suffix.learn.TokenReference;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import java.util.stream.Stream;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/**
 * Drift detection on recorded traffic: tokens of all generations, and the log-loss of a mixer that drafts all of them from what came
 * before. The recordings lie beside the repository; without them this says so, and the detector's own tests are what is left.
 */
class RecordedDriftTest {
    private static final long SEED = 20_261_131L;
    private static final long GENERATIONS_PER_FALSE_ALARM = 1_000_000;
    private static final int UNSHIFTED = 20_000;
    private static final int BEFORE = 600;
    private static final int DETECTED_WITHIN = 100;
    private static final Path DATA = Path.of("../../shared/data/open");

    private final LearnedTraffic traffic = new LearnedTraffic();
    private final DriftDetector.State state = new DriftDetector.State();
    private final DriftDetector detector = new DriftDetector(state, GENERATIONS_PER_FALSE_ALARM);

    @BeforeEach
    void findTheData() {
        if (!Files.isDirectory(DATA)) {
            System.out.println("RecordedDriftTest: no recordings at "
                    + DATA.toAbsolutePath().normalize() + "; drift detection is tested on synthetic traffic only");
        }
        Assumptions.assumeTrue(Files.isDirectory(DATA), "recorded traffic is not there");
    }

    private static StreamReader reader() {
        return new StreamReader(RecordedInputOptions.of(100_277), Long.MAX_VALUE);
    }

    private static List<Path> files() throws IOException {
        try (Stream<Path> listed = Files.list(DATA)) {
            return listed.filter(file -> file.getFileName().toString().endsWith(".jsonl.gz"))
                    .sorted()
                    .toList();
        }
    }

    /** True if the generation raises an alarm. */
    private boolean feed(ReplayCase request, long now) {
        boolean alarm =
                detector.onGeneration(TokenReference.sketch(request.response()), now) == DriftDetector.Change.ALARM;
        traffic.serve(request);
        return detector.onLogLoss(traffic.logLoss(), traffic.predictions(), now) == DriftDetector.Change.ALARM || alarm;
    }

    @Test
    @Tag("full")
    void twentyThousandShuffledGenerationsRaiseNoAlarm() throws IOException {
        List<ReplayCase> cases = new ArrayList<>();
        files().forEach(file -> cases.addAll(reader().file(file).cases()));
        Random random = new Random(SEED);
        Collections.shuffle(cases, random);
        double highest = Double.NEGATIVE_INFINITY;
        for (int i = 0; i < UNSHIFTED; i++) {
            boolean alarm = feed(cases.get(i % cases.size()), i);
            assertThat(alarm).as("seed %d, generation %d", SEED, i).isFalse();
            highest = Math.max(highest, detector.logEvidence());
        }
        System.out.printf(
                "no alarm on %,d shuffled generations of all recordings; highest evidence %.1f, an alarm needs %.1f%n",
                UNSHIFTED, highest, Math.log(GENERATIONS_PER_FALSE_ALARM));
        assertThat(state.generations).isEqualTo(UNSHIFTED);
    }

    @Test
    void theShiftFromChatToSqlIsSeenWithinAHundredGenerations() throws IOException {
        assertThat(detectedAfter(false)).isBetween(1, DETECTED_WITHIN);
    }

    @Test
    void theShiftFromSqlToChatIsSeenWithinAHundredGenerations() throws IOException {
        assertThat(detectedAfter(true)).isBetween(1, DETECTED_WITHIN);
    }

    private int detectedAfter(boolean reverse) throws IOException {
        List<ReplayCase> all = reader().ordered(DATA.resolve("streams/shift_chat_to_sql.jsonl.gz"), files())
                .cases();
        String first = reverse ? "text2sql" : "chat";
        List<ReplayCase> from =
                all.stream().filter(request -> request.workload().equals(first)).toList();
        List<ReplayCase> to = all.stream()
                .filter(request -> !request.workload().equals(first))
                .toList();
        for (int i = 0; i < BEFORE; i++) {
            assertThat(feed(from.get(i), i))
                    .as("generation %d before the shift", i)
                    .isFalse();
        }
        int after = 1;
        while (after < to.size() && !feed(to.get(after - 1), BEFORE + after)) {
            after++;
        }
        System.out.printf("shift from %s: alarm after %d generations%n", first, after);
        return after;
    }
}
