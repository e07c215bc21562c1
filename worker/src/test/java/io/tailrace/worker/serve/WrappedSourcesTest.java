package io.tailrace.worker.serve;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.tailrace.client.draft.DraftLearning;
import io.tailrace.client.draft.DraftPlan;
import io.tailrace.client.draft.DraftSource;
import io.tailrace.client.draft.DraftedStep;
import io.tailrace.client.draft.RequestDrafts;
import io.tailrace.client.draft.StepOutcomes;
import io.tailrace.client.draft.internal.NoDrafts;
import io.tailrace.client.follow.FollowOptions;
import io.tailrace.client.follow.ServedModel;
import io.tailrace.client.follow.internal.ServedLanes;
import io.tailrace.gpu.DeviceLimits;
import io.tailrace.gpu.driver.CudaDevice;
import io.tailrace.suffix.draft.Draft;
import io.tailrace.suffix.draft.DraftTree;
import io.tailrace.suffix.draft.SourceKind;
import io.tailrace.testkit.StandInDriver;
import io.tailrace.worker.candidates.CandidateDrafts;
import io.tailrace.worker.device.DeviceDrafts;
import java.lang.reflect.Constructor;
import java.lang.reflect.Method;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import java.util.Set;
import java.util.function.UnaryOperator;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Whatever wraps a source of drafts passes everything on. A conversation is held with a source that writes down each call, bare and wrapped:
 * the source hears the same, and who holds the conversation sees the same.
 */
class WrappedSourcesTest {
    private static final int PROMPT_TOKENS = 50;

    @TempDir
    private Path folder;

    /** Writes down what it hears. Its drafts are lines of as many tokens as are allowed. */
    private static final class Recorder implements DraftSource {
        private final List<String> heard = new ArrayList<>();
        private int begun;

        @Override
        public String strategy() {
            heard.add("strategy");
            return "recorder";
        }

        @Override
        public RequestDrafts begin(String scope, int[] prompt) {
            heard.add("begin " + scope + Arrays.toString(prompt));
            return new Request(heard, ++begun);
        }

        @Override
        public void draft(Step step) {
            for (int place = 0; place < step.size(); place++) {
                Request request = step.request(place, Request.class);
                heard.add("draft " + request.number + ": " + step.budget(place) + ", " + step.probabilityMin(place));
                step.put(place, request.line(step.budget(place)), 1_000L * request.number);
            }
        }

        @Override
        public void verified(Step step, StepOutcomes outcomes) {
            for (int place = 0; place < step.size(); place++) {
                int[] tokens = Arrays.copyOf(outcomes.tokens(place), outcomes.count(place));
                heard.add("verified " + step.request(place, Request.class).number + Arrays.toString(tokens));
            }
        }

        @Override
        public void close() {
            heard.add("close");
        }
    }

    private static final class Request implements RequestDrafts {
        private final List<String> heard;
        private final int number;
        private final DraftTree line = new DraftTree();
        private int drafted;

        Request(List<String> heard, int number) {
            this.heard = heard;
            this.number = number;
        }

        Draft line(int budget) {
            line.clear();
            for (int node = 0; node < budget; node++) {
                line.add(++drafted, node - 1, 0.9f, SourceKind.OWN.index(), 1);
            }
            return line;
        }

        @Override
        public long snapshotVersion() {
            heard.add("snapshotVersion " + number);
            return 10L * number + drafted;
        }

        @Override
        public DraftLearning learned() {
            heard.add("learned " + number);
            return new DraftLearning(0.5 * drafted, drafted);
        }

        @Override
        public void close() {
            heard.add("close " + number);
        }
    }

    /** What three requests, some of them in each step, say and see; returns what was seen. */
    private static List<String> converse(DraftSource source, boolean floored) {
        Random random = new Random(7);
        List<String> seen = new ArrayList<>();
        DraftPlan plan = new DraftPlan(source);
        List<RequestDrafts> requests = new ArrayList<>();
        for (int i = 0; i < 3; i++) {
            requests.add(source.begin("s" + i, random.ints(PROMPT_TOKENS, 1, 9).toArray()));
        }
        for (int step = 0; step < 40; step++) {
            int[][] said = new int[3][];
            int size = 0;
            for (RequestDrafts request : requests) {
                if (size == 0 || random.nextBoolean()) {
                    plan.add(request, random.nextInt(5), floored ? random.nextFloat() : 0);
                    said[size++] = random.ints(1 + random.nextInt(4), 1, 9).toArray();
                }
            }
            DraftedStep drafted = plan.draft();
            for (int place = 0; place < size; place++) {
                Draft draft = drafted.draft(place);
                seen.add(draft.size() + (draft.size() == 0 ? "" : " from " + draft.token(0))
                        + " in "
                        + drafted.nanos(place));
            }
            drafted.verified(new StepOutcomes() {
                @Override
                public int[] tokens(int place) {
                    return said[place];
                }

                @Override
                public int count(int place) {
                    return said[place].length;
                }
            });
            requests.forEach(request -> seen.add("version " + request.snapshotVersion()));
        }
        requests.forEach(request -> seen.add(request.learned().toString()));
        requests.forEach(RequestDrafts::close);
        source.close();
        return seen;
    }

    private static void passesEverythingOn(boolean floored, UnaryOperator<DraftSource> wrapper) {
        Recorder bare = new Recorder();
        List<String> seen = converse(bare, floored);
        Recorder within = new Recorder();
        assertThat(converse(wrapper.apply(within), floored)).isEqualTo(seen);
        assertThat(within.heard).isEqualTo(bare.heard);
    }

    /** Its score is never below nothing. All nodes of a suffix draft count, so it is grown in full. */
    @Test
    void aHybridThatTakesTheSuffixDraftsPassesEverythingOn() {
        passesEverythingOn(false, suffix -> new HybridDrafts("hybrid", suffix, new NoDrafts(), 0));
    }

    @Test
    void aHybridThatTakesTheOtherDraftsPassesEverythingOn() {
        passesEverythingOn(true, other -> new HybridDrafts("hybrid", new NoDrafts(), other, 1));
    }

    /** Where both draft, both hear of every request in every step. */
    @Test
    void bothHalvesOfAHybridHearOfEveryVerification() {
        Recorder suffix = new Recorder();
        Recorder other = new Recorder();
        converse(new HybridDrafts("hybrid", suffix, other, 2), false);
        assertThat(verified(other)).isNotEmpty().isEqualTo(verified(suffix));
    }

    private static List<String> verified(Recorder recorder) {
        return recorder.heard.stream()
                .filter(call -> call.startsWith("verified"))
                .toList();
    }

    @Test
    void whatIsToldCandidatesPassesEverythingOn() {
        passesEverythingOn(true, lanes -> new CandidateDrafts(lanes, 4));
        assertThat(new CandidateDrafts(new Recorder(), 4).strategy()).isEqualTo("recorder");
    }

    /** Contexts that no slot of the device holds are the host's. */
    @Test
    void aDevicePassesOnWhatItDoesNotTake() throws Exception {
        assumeTrue(StandInDriver.load(), "g++ is not installed (Debian: apt-get install g++)");
        passesEverythingOn(true, this::onDevice);
        try (DraftSource device = onDevice(new Recorder())) {
            assertThat(device.strategy()).isEqualTo("recorder");
        }
        assertThat(StandInDriver.held()).isZero();
    }

    private DraftSource onDevice(DraftSource host) {
        ServedModel served = new ServedModel("m", "1", 1_000, "letters");
        ServedLanes lanes = new ServedLanes(served, FollowOptions.of(folder.toUri(), folder), 0);
        return new DeviceDrafts(
                new CudaDevice(0, new DeviceLimits(2, PROMPT_TOKENS - 1, 2, 32, 0)),
                host,
                Optional.empty(),
                lanes::ofRequest,
                served,
                folder);
    }

    /** Or something could be forgotten here. */
    @Test
    void theConversationCallsEveryMethodOfThePorts() {
        Recorder recorder = new Recorder();
        assertThat(recorder.strategy()).isEqualTo("recorder");
        converse(recorder, true);
        Set<String> called =
                recorder.heard.stream().map(call -> call.split(" ", 2)[0]).collect(Collectors.toSet());
        assertThat(called)
                .isEqualTo(Stream.of(DraftSource.class, RequestDrafts.class)
                        .flatMap(port -> Arrays.stream(port.getDeclaredMethods()))
                        .map(Method::getName)
                        .collect(Collectors.toSet()));
    }

    @Test
    void noMethodOfThePortsMayBeLeftOut() {
        assertThat(Stream.of(DraftSource.class, RequestDrafts.class, StepOutcomes.class)
                        .flatMap(port -> Arrays.stream(port.getDeclaredMethods()))
                        .filter(Method::isDefault))
                .isEmpty();
    }

    @Test
    void everyWrapperIsLookedAtHere() throws Exception {
        Path classes = Path.of(HybridDrafts.class
                .getProtectionDomain()
                .getCodeSource()
                .getLocation()
                .toURI());
        List<Class<?>> wrappers = new ArrayList<>();
        try (Stream<Path> files = Files.walk(classes)) {
            for (Path file :
                    files.filter(each -> each.toString().endsWith(".class")).toList()) {
                String name = classes.relativize(file).toString().replace('/', '.');
                Class<?> type = Class.forName(
                        name.substring(0, name.length() - ".class".length()),
                        false,
                        getClass().getClassLoader());
                if (DraftSource.class.isAssignableFrom(type) && takesSource(type)) {
                    wrappers.add(type);
                }
            }
        }
        assertThat(wrappers).containsExactlyInAnyOrder(HybridDrafts.class, CandidateDrafts.class, DeviceDrafts.class);
    }

    private static boolean takesSource(Class<?> type) {
        return Arrays.stream(type.getDeclaredConstructors())
                .map(Constructor::getParameterTypes)
                .flatMap(Arrays::stream)
                .anyMatch(DraftSource.class::isAssignableFrom);
    }
}
