package io.tailrace.gpu;

import static org.assertj.core.api.Assertions.assertThat;

import io.tailrace.suffix.draft.AdaptiveDrafter;
import io.tailrace.suffix.draft.Draft;
import io.tailrace.suffix.draft.DraftPolicy;
import io.tailrace.suffix.draft.Mixer;
import io.tailrace.suffix.draft.SimilarAnswers;
import io.tailrace.suffix.draft.SourceKind;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import java.util.stream.IntStream;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The device's code, compiled for this machine, drafts what Java drafts: same tokens, same tree, same bits. */
class DraftEqualityTest {
    private static final int CONTEXTS = 10_000;
    private static final int WARP_CONTEXTS = 240;
    private static final int DRAFTS_BEFORE_SWAP = 6;
    /** Of the numbers that the replay prints: drafts, nodes, those that no voter names, those of each source. */
    private static final int UNVOTED = 2;

    private static final List<String> WORKLOADS =
            List.of("text2sql", "code", "summ_edit", "sql_pipeline", "judge", "tau_airline", "chat", "swe_agent");

    @TempDir
    static Path programs;

    @TempDir
    Path folder;

    private static NativeProgram replay;

    @BeforeAll
    static void build() throws Exception {
        replay = NativeProgram.build("replay.cc", programs);
    }

    @Test
    void draftsEqualJavasOnRandomContexts() throws Exception {
        assertDrafted(CONTEXTS, replay.run(randomCases(CONTEXTS, 50).toString()));
    }

    /** A request leaves a remembered answer for a while of its own, some tokens more each time, and comes back to it. */
    @Test
    void anAnswerThatARequestFollowedIsTheSameOneForAsLong() throws Exception {
        int[] answer = IntStream.range(100, 200).toArray();
        List<int[]> truths = IntStream.range(1, 80)
                .mapToObj(away -> joined(IntStream.range(500, 500 + away), Arrays.stream(answer, 12, 60)))
                .toList();
        assertSameDrafts(List.of(answer), truths);
    }

    /** A request says an answer to its end, then what nobody said, then single tokens of other answers and of their prompts' tails. */
    @Test
    void anAnswerThatARequestHasSaidToItsEndIsFollowedNoFurtherOnEitherSide() throws Exception {
        List<int[]> answers = IntStream.range(1, 9)
                .mapToObj(i -> IntStream.range(100 * i, 100 * i + 20).toArray())
                .toList();
        List<int[]> truths = new ArrayList<>();
        for (int away : new int[] {0, 1, 2, 5, 6, 7, 8, 16, 63, 64, 65}) {
            for (int[] answer : answers) {
                int token = truths.size() % 3;
                IntStream others = IntStream.range(1, 9).map(i -> 100 * i + token);
                IntStream own = IntStream.range(2000, 2000 + away);
                truths.add(joined(Arrays.stream(answer, 10, 20), IntStream.concat(own, others)));
            }
        }
        assertSameDrafts(answers, truths);
    }

    /**
     * No, few and many answers to requests like one, some of which leave the lane while that one drafts; and after it, in its slot, a request
     * that is like none.
     */
    @Test
    void answersToSimilarRequestsVoteAsLongAsTheyAreInTheLane() throws Exception {
        Random random = new Random(3);
        Settings settings = new Settings(24, 0.001f, noisy(random, 0.3f));
        Path file = folder.resolve("similar.cases");
        int drafts;
        try (CaseFile cases = new CaseFile(file)) {
            cases.policy(settings.weights());
            for (int answers : new int[] {0, 1, 3, 16, 17, 100}) {
                addSimilar(cases, random, answers, settings);
            }
            drafts = cases.drafts();
        }
        String said = replay.run(file.toString());
        assertThat(said).startsWith("drafts " + drafts + " ");
        assertThat(nodes(said)[UNVOTED + 1 + SourceKind.SIMILAR.index()]).isPositive();
    }

    /** So many answers to one request, and others; of many answers a token stands at more places than are visited. */
    private void addSimilar(CaseFile cases, Random random, int answers, Settings settings) throws IOException {
        int[] prompt = {1, 2, 3};
        try (LaneFiles lane = new LaneFiles(folder)) {
            List<int[]> others = IntStream.range(0, 100)
                    .mapToObj(i -> tokens(random, 20 + i, 300))
                    .toList();
            lane.add(SourceKind.OLDER, others, others);
            List<int[]> texts = IntStream.range(0, answers)
                    .mapToObj(i -> tokens(random, 200, 3))
                    .toList();
            lane.add(SourceKind.NEWEST, texts.subList(0, answers / 2), Collections.nCopies(answers, prompt));
            lane.add(SourceKind.FRESH, texts.subList(answers / 2, answers), Collections.nCopies(answers, prompt));
            cases.lane(lane);
            int[] truth = answers == 0 ? others.get(0) : changed(random, texts.get(answers - 1), 3);
            replay(cases, lane, new RecordedRequests.Request(prompt, truth), settings, Integer.MAX_VALUE, draft -> {
                if (draft == 4) {
                    lane.refresh(List.of());
                    cases.lane(lane);
                }
            });
            RecordedRequests.Request likeNone = new RecordedRequests.Request(new int[0], truth);
            replay(cases, lane, likeNone, settings, Integer.MAX_VALUE, draft -> {});
        }
    }

    private static int[] joined(IntStream first, IntStream second) {
        return IntStream.concat(first, second).toArray();
    }

    /** Both sides draft the same for requests to a lane, each of which begins as the answer of its turn does. */
    private void assertSameDrafts(List<int[]> answers, List<int[]> truths) throws Exception {
        Path file = folder.resolve("said.cases");
        int drafts;
        try (CaseFile cases = new CaseFile(file);
                LaneFiles lane = new LaneFiles(folder)) {
            lane.add(SourceKind.NEWEST, answers);
            cases.lane(lane);
            float[] weights = noisy(new Random(1), 0.3f);
            cases.policy(weights);
            for (int i = 0; i < truths.size(); i++) {
                int[] prompt = Arrays.copyOf(answers.get(i % answers.size()), 10);
                RecordedRequests.Request request = new RecordedRequests.Request(prompt, truths.get(i));
                replay(cases, lane, request, new Settings(8, 0, weights), Integer.MAX_VALUE, draft -> {});
            }
            drafts = cases.drafts();
        }
        assertThat(replay.run(file.toString())).startsWith("drafts " + drafts + " ");
    }

    /** The warp's own code, its threads played one by one, in another order each time: fibers, which the address sanitizer does not know. */
    @Test
    void aWarpDraftsAsOneThreadDoes() throws Exception {
        NativeProgram warp = NativeProgram.build("warp.cc", folder, "undefined");
        assertDrafted(WARP_CONTEXTS, warp.run(randomCases(WARP_CONTEXTS, 60).toString()));
    }

    /** Drafts from so many contexts, so many of each lane. */
    private Path randomCases(int contexts, int ofEachLane) throws IOException {
        Path file = folder.resolve("random.cases");
        try (CaseFile cases = new CaseFile(file)) {
            for (long seed = 0; cases.drafts() < contexts; seed++) {
                addRandomLane(cases, seed, Math.min(contexts, cases.drafts() + ofEachLane));
            }
        }
        return file;
    }

    @Test
    void draftsEqualJavasOnRecordedContexts() throws Exception {
        RecordedRequests.require();
        Path file = folder.resolve("recorded.cases");
        try (CaseFile cases = new CaseFile(file)) {
            for (int i = 0; i < WORKLOADS.size(); i++) {
                addWorkload(cases, WORKLOADS.get(i), (i + 1) * CONTEXTS / WORKLOADS.size());
            }
        }
        String said = replay.run(file.toString());
        System.out.println("recorded contexts: " + said.strip());
        assertDrafted(CONTEXTS, said);
    }

    /** All drafts were equal, and every source, and nobody, has named nodes of them. */
    private static void assertDrafted(int contexts, String said) {
        assertThat(said).startsWith("drafts " + contexts + " ");
        int[] nodes = nodes(said);
        assertThat(nodes[UNVOTED]).as("nodes that no voter names").isPositive();
        for (SourceKind kind : SourceKind.values()) {
            assertThat(nodes[UNVOTED + 1 + kind.index()]).as(kind.label()).isPositive();
        }
    }

    /** The numbers that the replay prints. */
    private static int[] nodes(String said) {
        return Arrays.stream(said.strip().replaceAll("[a-z ]+", " ").strip().split(" "))
                .mapToInt(Integer::parseInt)
                .toArray();
    }

    private void addRandomLane(CaseFile cases, long seed, int until) throws IOException {
        Random random = new Random(seed);
        int alphabet = List.of(1, 2, 4, 20, 300).get(random.nextInt(5));
        try (LaneFiles lane = new LaneFiles(folder)) {
            List<int[]> answers = new ArrayList<>();
            for (int older = random.nextInt(4); older > 0; older--) {
                add(lane, SourceKind.OLDER, documents(random, alphabet), answers);
            }
            for (SourceKind kind : List.of(SourceKind.NEWEST, SourceKind.FRESH)) {
                add(lane, kind, random.nextInt(3) == 0 ? List.of() : documents(random, alphabet), answers);
            }
            cases.lane(lane);
            float[] weights = weights(random);
            cases.policy(weights);
            while (cases.drafts() < until) {
                int[] prompt = prompt(random, alphabet);
                int[] truth = random.nextBoolean() && !answers.isEmpty()
                        ? changed(random, answers.get(random.nextInt(answers.size())), alphabet)
                        : tokens(random, 20 + random.nextInt(180), alphabet);
                Settings settings = new Settings(random.nextInt(65), random.nextInt(3) * 0.002f, weights);
                RecordedRequests.Request request = new RecordedRequests.Request(prompt, truth);
                replay(cases, lane, request, settings, until, draft -> swapSometimes(random, alphabet, cases, lane));
            }
        }
    }

    /** Half of the prompts have topics, most of those near enough to their ends to be like others by them. */
    private static int[] prompt(Random random, int alphabet) {
        int[] tokens = tokens(random, random.nextInt(300), alphabet);
        int[] topics = LaneFiles.topics(random.nextInt(5), random.nextInt(4), random.nextInt(9));
        return random.nextBoolean() ? tokens : joined(Arrays.stream(topics), Arrays.stream(tokens));
    }

    private static void add(LaneFiles lane, SourceKind kind, List<int[]> documents, List<int[]> answers)
            throws IOException {
        lane.add(kind, documents);
        answers.addAll(documents);
    }

    /** An answer with other tokens here and there: a request follows it, loses it and finds it again. */
    private static int[] changed(Random random, int[] answer, int alphabet) {
        return Arrays.stream(answer)
                .map(token -> random.nextInt(12) == 0 ? random.nextInt(alphabet) : token)
                .toArray();
    }

    /** A request goes on from a lane that is not what it was: its texts are other parts now, some of them are gone. */
    private static void swapSometimes(Random random, int alphabet, CaseFile cases, LaneFiles lane) throws IOException {
        if (random.nextInt(20) != 0) {
            return;
        }
        if (random.nextBoolean()) {
            lane.refresh(documents(random, alphabet));
        } else {
            lane.graduate(documents(random, alphabet));
        }
        cases.lane(lane);
    }

    private void addWorkload(CaseFile cases, String workload, int until) throws IOException {
        List<RecordedRequests.Request> requests = RecordedRequests.read(workload, 900);
        try (LaneFiles lane = new LaneFiles(folder)) {
            lane.add(SourceKind.OLDER, responses(requests, 0, 100), prompts(requests, 0, 100));
            lane.add(SourceKind.OLDER, responses(requests, 100, 200), prompts(requests, 100, 200));
            lane.add(SourceKind.NEWEST, responses(requests, 200, 260), prompts(requests, 200, 260));
            lane.add(SourceKind.FRESH, responses(requests, 260, 280), prompts(requests, 260, 280));
            cases.lane(lane);
            float[] weights = noisy(new Random(workload.hashCode()), 0.1f);
            cases.policy(weights);
            for (int i = 280; i < requests.size() && cases.drafts() < until; i++) {
                int budget = List.of(8, 16, 31, 64).get(i % 4);
                int drafts = Math.min(until, cases.drafts() + 30);
                int request = i;
                replay(cases, lane, requests.get(i), new Settings(budget, 0.003f, weights), drafts, draft -> {
                    if (request == 290 && draft == DRAFTS_BEFORE_SWAP) {
                        lane.graduate(responses(requests, 280, 290), prompts(requests, 280, 290));
                        cases.lane(lane);
                    }
                });
            }
        }
    }

    private record Settings(int budget, float floor, float[] weights) {}

    /** What becomes of the lane before a request's draft of a number. */
    private interface Swaps {
        void before(int draft) throws IOException;
    }

    /** Drafts along the true answer, as a request does, with weights that stay as they are. */
    private static void replay(
            CaseFile cases,
            LaneFiles lane,
            RecordedRequests.Request request,
            Settings settings,
            int draftsMax,
            Swaps swaps)
            throws IOException {
        Mixer mixer = Mixer.of(settings.weights());
        mixer.hurry(0);
        AdaptiveDrafter drafter =
                new AdaptiveDrafter(mixer, new DraftPolicy(true, 64, settings.floor(), 0, new float[0]));
        int[] prompt = request.prompt();
        int[] truth = request.response();
        drafter.begin(prompt, prompt.length);
        cases.begin(prompt);
        SimilarAnswers similar = new SimilarAnswers();
        similar.ask(prompt, prompt.length);
        for (int at = 0, drafts = 0; at < truth.length && cases.drafts() < draftsMax; drafts++) {
            swaps.before(drafts);
            if (similar.prepare(lane.index())) {
                cases.similar(similar.texts());
            }
            Draft draft = drafter.draft(lane.index(), settings.budget());
            cases.draft(draft, settings.budget(), settings.floor());
            int[] said = accepted(draft, truth, at);
            drafter.verified(said, said.length);
            cases.extend(said);
            at += said.length;
        }
    }

    private static int[] accepted(Draft draft, int[] truth, int at) {
        int node = -1;
        int accepted = 0;
        for (int i = 0; i < draft.size() && at + accepted < truth.length; i++) {
            if (draft.parent(i) == node && draft.token(i) == truth[at + accepted]) {
                node = i;
                accepted++;
            }
        }
        return Arrays.copyOfRange(truth, at, Math.min(truth.length, at + accepted + 1));
    }

    private static float[] weights(Random random) {
        return noisy(random, random.nextInt(3) * 0.3f);
    }

    private static float[] noisy(Random random, float noise) {
        float[] weights = Mixer.defaults().weights();
        for (int i = 0; i < weights.length; i++) {
            weights[i] += noise * (float) random.nextGaussian();
        }
        return weights;
    }

    private static List<int[]> responses(List<RecordedRequests.Request> requests, int from, int to) {
        return requests.subList(from, to).stream()
                .map(RecordedRequests.Request::response)
                .toList();
    }

    private static List<int[]> prompts(List<RecordedRequests.Request> requests, int from, int to) {
        return requests.subList(from, to).stream()
                .map(RecordedRequests.Request::prompt)
                .toList();
    }

    private static List<int[]> documents(Random random, int alphabet) {
        return IntStream.range(0, 1 + random.nextInt(20))
                .mapToObj(i -> tokens(random, random.nextInt(120), alphabet))
                .toList();
    }

    /** Random text that repeats itself. */
    private static int[] tokens(Random random, int length, int alphabet) {
        int[] tokens = new int[length];
        for (int i = 0, copied = 0, from = 0; i < length; i++, copied--) {
            if (copied <= 0 && i > 0 && random.nextInt(8) == 0) {
                copied = random.nextInt(30);
                from = random.nextInt(i);
            }
            tokens[i] = copied > 0 ? tokens[from++] : random.nextInt(alphabet);
        }
        return tokens;
    }
}
