package io.tailrace.e2e.loop;

import static org.assertj.core.api.Assertions.assertThat;

import io.tailrace.lab.load.LoadWorker;
import io.tailrace.lab.loop.LoopObserver;
import io.tailrace.lab.loop.LoopUnderLoad;
import io.tailrace.lab.recorded.RecordedRequest;
import io.tailrace.schemas.AdmittedAnswer;
import io.tailrace.schemas.RecordCodec;
import io.tailrace.schemas.SegmentReference;
import io.tailrace.schemas.SnapshotManifest;
import io.tailrace.schemas.Topic;
import io.tailrace.suffix.LaneIndex;
import io.tailrace.suffix.LaneVocabulary;
import io.tailrace.suffix.OccurrenceIndex;
import io.tailrace.suffix.PromptSignature;
import io.tailrace.suffix.RememberedAnswer;
import io.tailrace.suffix.SignaturePostings;
import io.tailrace.suffix.SignedAnswers;
import io.tailrace.suffix.TokenCounts;
import io.tailrace.suffix.segment.Segment;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.BitSet;
import java.util.Collections;
import java.util.List;
import java.util.Objects;
import java.util.Random;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * What one scope alone has said and was asked is in nothing that another scope drafts from: its files, its counts of tokens, its popular
 * tokens, its signatures, its drafts, and in no topic's record that is of it. All of it is in the scope's own, which shows that it would be seen.
 */
class ScopeSecretsIT {
    private static final long SEED = 20_261_126L;
    private static final String TOLD = "alpha";
    private static final String OTHER = "beta";
    private static final int ANSWERS = 40;
    private static final int TOKENS = 60;
    private static final int PROMPT_TOKENS = 20;
    private static final Duration LOADED_MAX = Duration.ofSeconds(60);

    /** Answered in one scope only, so often that no token is more popular there. */
    private static final int[] SECRET =
            IntStream.range(Fleet.CANARIES_FROM, Fleet.CANARIES_FROM + TOKENS).toArray();
    /** Asked in one scope only. */
    private static final int[] SECRET_PROMPT = IntStream.range(
                    Fleet.CANARIES_FROM + 2 * TOKENS, Fleet.CANARIES_FROM + 2 * TOKENS + PROMPT_TOKENS)
            .toArray();

    private static final Set<Integer> SECRETS = new TreeSet<>(Stream.of(SECRET, SECRET_PROMPT)
            .flatMap(tokens -> Arrays.stream(tokens).boxed())
            .toList());
    private static final PromptCanaries CANARIES =
            new PromptCanaries(Fleet.CANARIES_FROM, 1, 2 * TOKENS + PROMPT_TOKENS);
    /** Of the secret answer; it stands in the prompt, too. */
    private static final int QUOTED = TOKENS / 2;
    /** Nobody says it. */
    private static final int UNSAID = Fleet.MODEL.vocabularySize() - 1;

    @TempDir
    static Path folder;

    private final Random random = new Random(SEED);
    /** Answered in the other scope. */
    private final int[] ordinary = open(TOKENS);
    /** With tokens that only the other scope says: asked elsewhere, they are no copies there. */
    private final int[] told = IntStream.concat(
                    IntStream.concat(Arrays.stream(ordinary, 0, TOKENS / 2), IntStream.of(SECRET[QUOTED])),
                    Arrays.stream(SECRET_PROMPT))
            .toArray();

    @Test
    void nothingOfOneScopeIsInAnothersLane() throws Exception {
        try (LoopUnderLoad loop = LoopUnderLoad.start(
                        LoopUnderLoad.options(folder, Fleet.MODEL).withJobArguments("--shards", "2"));
                LoopObserver observer = loop.observe();
                ClientDrafts drafts = ClientDrafts.follow(
                        "looker", loop.loop().bootstrap(), loop.loop().store(), folder.resolve("looker"))) {
            Fleet fleet = new Fleet(loop, observer, SEED);
            LoadWorker worker = loop.addWorker("worker");
            for (int i = 0; i < ANSWERS; i++) {
                worker.serve(request("told-" + i, TOLD, told, SECRET));
                worker.serve(request("other-" + i, OTHER, unsaid(), ordinary));
                assertThat(drafted(drafts, OTHER)).as("before a snapshot").doesNotContainAnyElementsOf(SECRETS);
            }
            fleet.awaitSettled();
            awaitLoaded(drafts, new TopicReader(loop.loop().bootstrap()));
            assertThat(drafted(drafts, TOLD)).containsAnyElementsOf(SECRETS);
            assertThat(drafted(drafts, OTHER))
                    .containsAnyElementsOf(asSet(ordinary, TOKENS / 2))
                    .doesNotContainAnyElementsOf(SECRETS);
            assertThat(drafts.inside(OTHER, ScopeSecretsIT::told)).isEmpty();
            assertThat(drafts.inside(TOLD, ScopeSecretsIT::told)).isEqualTo(everything());
            TopicReader topics = new TopicReader(loop.loop().bootstrap());
            Path store = Path.of(loop.loop().store());
            assertThat(inFiles(topics, store, TOLD)).containsExactlyInAnyOrderElementsOf(remembered());
            assertThat(inFiles(topics, store, OTHER)).isEmpty();
            assertThat(inTopics(topics, TOLD)).containsExactlyInAnyOrderElementsOf(remembered());
            assertThat(inTopics(topics, OTHER)).isEmpty();
            assertThat(inAdmitted(topics, TOLD)).containsExactlyInAnyOrderElementsOf(remembered());
            assertThat(inAdmitted(topics, OTHER)).isEmpty();
        }
    }

    /** What gives a scope's secrets away in all that its drafts come from. */
    private static Set<String> told(LaneIndex index) {
        Set<String> told = new TreeSet<>();
        LaneVocabulary vocabulary = index.vocabulary();
        for (int rank = 0; rank < vocabulary.popularTokens(); rank++) {
            told.addAll(SECRETS.contains(vocabulary.popularToken(rank)) ? List.of("popular") : List.of());
        }
        TokenCounts counts = new TokenCounts();
        sources(index).forEach(source -> source.count(counts));
        for (int token : SECRETS) {
            if (vocabulary.classes(token) != vocabulary.classes(UNSAID)
                    || vocabulary.following(token) != vocabulary.following(UNSAID)) {
                told.add("classes");
            }
            if (token < counts.tokens() && counts.said(token) + counts.known(token) + counts.knownAfter(token) > 0) {
                told.add("counts");
            }
        }
        for (OccurrenceIndex source : sources(index)) {
            for (SignedAnswers signed : source.signed()) {
                SignaturePostings postings = signed.postings();
                if (hashes().stream().anyMatch(hash -> postings.to(hash) > postings.from(hash))) {
                    told.add("signatures");
                }
            }
        }
        return told;
    }

    private static Set<String> everything() {
        return Set.of("popular", "classes", "counts", "signatures");
    }

    private static List<OccurrenceIndex> sources(LaneIndex index) {
        List<OccurrenceIndex> sources = new ArrayList<>(index.older());
        Stream.of(index.newest(), index.fresh()).filter(Objects::nonNull).forEach(sources::add);
        return sources;
    }

    /** Secrets in the files of all versions of a scope that are served: its answers' tokens, their prompts' tails. */
    private static Set<Integer> inFiles(TopicReader topics, Path store, String scope) throws Exception {
        Set<Integer> found = new TreeSet<>();
        for (SnapshotManifest manifest : topics.served()) {
            if (!manifest.getLane().getScope().equals(scope)) {
                continue;
            }
            for (SegmentReference reference : manifest.getSegments()) {
                try (Segment segment = Segment.inspect(store.resolve(reference.getPath()))) {
                    for (int document = 0; document < segment.documents(); document++) {
                        RememberedAnswer answer = segment.answer(document);
                        Arrays.stream(answer.text()).filter(SECRETS::contains).forEach(found::add);
                        checkSignature(answer.signature(), scope);
                        assertThat(answer.copied())
                                .as("copies in a file of %s", scope)
                                .isEqualTo(copies(scope));
                    }
                }
            }
        }
        return found;
    }

    private static void checkSignature(PromptSignature signature, String scope) {
        assertThat(Collections.disjoint(hashes(signature), hashes()))
                .as("a signature of %s", scope)
                .isEqualTo(scope.equals(OTHER));
    }

    /** Of the answers of a scope: by the prompts that were asked in it. */
    private static BitSet copies(String scope) {
        BitSet copies = new BitSet();
        copies.set(QUOTED, scope.equals(TOLD));
        return copies;
    }

    /** Secrets in any record that names a scope, but in topic generations, which nobody drafts from. */
    private static Set<Integer> inTopics(TopicReader topics, String scope) {
        Set<Integer> found = new TreeSet<>();
        for (Topic topic : Topic.values()) {
            for (ConsumerRecord<byte[], byte[]> each : topics.readRaw(topic)) {
                if (topic != Topic.GENERATIONS && each.value() != null && names(each, scope)) {
                    found.addAll(CANARIES.in(each.value()));
                }
            }
        }
        return found;
    }

    private static boolean names(ConsumerRecord<byte[], byte[]> record, String scope) {
        return Stream.of(record.key(), record.value())
                .filter(Objects::nonNull)
                .anyMatch(bytes -> new String(bytes, StandardCharsets.ISO_8859_1).contains(scope));
    }

    /** The same in what followers of a scope take up before a snapshot, be it a single token. */
    private static Set<Integer> inAdmitted(TopicReader topics, String scope) throws Exception {
        Set<Integer> found = new TreeSet<>();
        for (AdmittedAnswer answer : topics.read(Topic.ADMITTED, RecordCodec.ADMITTED_ANSWER)) {
            if (answer.getLane().getScope().equals(scope)) {
                found.addAll(answer.getPromptTail());
                found.addAll(answer.getTokens());
                checkSignature(PromptSignature.ofBytes(answer.getSignature()), scope);
            }
        }
        found.retainAll(SECRETS);
        return found;
    }

    /** The answer, and of its prompt the tail. */
    private static Set<Integer> remembered() {
        Set<Integer> remembered = asSet(SECRET, 0);
        remembered.addAll(asSet(SECRET_PROMPT, PROMPT_TOKENS - RememberedAnswer.TAIL_TOKENS));
        return remembered;
    }

    private static Set<Integer> asSet(int[] tokens, int from) {
        Set<Integer> set = new TreeSet<>();
        Arrays.stream(tokens, from, tokens.length).forEach(set::add);
        return set;
    }

    private static Set<Character> hashes() {
        return hashes(PromptSignature.of(SECRET_PROMPT));
    }

    private static Set<Character> hashes(PromptSignature signature) {
        Set<Character> hashes = new TreeSet<>();
        for (int number = 0; number < signature.size(); number++) {
            hashes.add(signature.hash(number));
        }
        return hashes;
    }

    /** Where the secret answer begins, and wherever it goes on, and where nothing matches. */
    private Set<Integer> drafted(ClientDrafts drafts, String scope) {
        Set<Integer> drafted = new TreeSet<>(drafts.behind(scope, SECRET_PROMPT));
        for (int length = 1; length < SECRET.length; length += 9) {
            drafted.addAll(drafts.behind(scope, Arrays.copyOf(SECRET, length)));
        }
        drafted.addAll(drafts.behind(scope, open(PROMPT_TOKENS)));
        drafted.addAll(drafts.behind(scope, Arrays.copyOf(ordinary, TOKENS / 2)));
        return drafted;
    }

    /** A prompt of the other scope, without what its answers say. */
    private int[] unsaid() {
        Set<Integer> said = asSet(ordinary, 0);
        return Arrays.stream(open(PROMPT_TOKENS))
                .filter(token -> !said.contains(token))
                .toArray();
    }

    /** Tokens that may be said everywhere, and whose hashes no secret has. */
    private int[] open(int count) {
        return random.ints(0, Fleet.CANARIES_FROM)
                .filter(token -> Collections.disjoint(hashes(PromptSignature.of(new int[] {token})), hashes()))
                .limit(count)
                .toArray();
    }

    private static RecordedRequest request(String id, String scope, int[] prompt, int[] response) {
        return new RecordedRequest(
                id,
                scope,
                "test",
                null,
                null,
                prompt,
                prompt.length,
                response,
                new RecordedRequest.Position(Path.of("test"), 1));
    }

    private static void awaitLoaded(ClientDrafts drafts, TopicReader topics) {
        for (String scope : List.of(TOLD, OTHER)) {
            Awaitility.await("the newest version of " + scope)
                    .atMost(LOADED_MAX)
                    .until(() -> {
                        long newest = topics.served().stream()
                                .filter(manifest ->
                                        manifest.getLane().getScope().equals(scope))
                                .mapToLong(SnapshotManifest::getVersion)
                                .max()
                                .orElse(-1);
                        return drafts.version(scope) == newest;
                    });
        }
    }
}
