package io.tailrace.e2e.loop;

import static org.assertj.core.api.Assertions.assertThat;

import io.tailrace.client.follow.ServedModel;
import io.tailrace.lab.loop.LoopObserver;
import io.tailrace.lab.loop.LoopUnderLoad;
import io.tailrace.schemas.AdmittedAnswer;
import io.tailrace.schemas.Generation;
import io.tailrace.schemas.RecordCodec;
import io.tailrace.schemas.RequestHash;
import io.tailrace.schemas.TokenIds;
import io.tailrace.schemas.Topic;
import io.tailrace.suffix.PromptSignature;
import io.tailrace.suffix.RememberedAnswer;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.HashMap;
import java.util.HashSet;
import java.util.HexFormat;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Stream;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Of a prompt no more than its tail and its signature leave topic generations, and nothing where the scope says so: not even which tokens of the
 * answer stood in it.
 */
class PromptTailIT {
    /** So many ids that four bytes are no token by chance. */
    private static final ServedModel MODEL = new ServedModel("wide", "1", Integer.MAX_VALUE, "test-tokenizer");

    /** In a segment's header. */
    private static final int SIGNATURES_AT = 96;

    private static final int COPIES_AT = 100;

    private static final int PROMPT_TOKENS = 64;
    private static final int RESPONSE_TOKENS = 64;
    private static final int GENERATIONS = 60;
    private static final PromptCanaries CANARIES = new PromptCanaries(0x5a3c_0000, GENERATIONS, PROMPT_TOKENS);

    @TempDir
    static Path folder;

    @Test
    void noMoreThanTailAndSignatureReachAnyOtherTopicOrFile() throws Exception {
        try (LoopUnderLoad loop = LoopUnderLoad.start(LoopUnderLoad.options(folder, MODEL)
                        .withJobArguments(
                                "--prompt-tail",
                                "quiet=0",
                                "--prompt-signature",
                                "quiet=off",
                                "--evaluation-share",
                                "1"));
                LoopObserver observer = loop.observe()) {
            Fleet fleet = new Fleet(loop, observer, 5);
            Set<Integer> tails = new HashSet<>();
            Map<Long, String> signatures = new HashMap<>();
            Map<Long, String> copies = new HashMap<>();
            Map<RequestHash, byte[]> ofQuiet = new HashMap<>();
            Random random = new Random(7);
            for (int i = 0; i < GENERATIONS; i++) {
                int[] prompt = CANARIES.prompt(i);
                String scope = i % 2 == 0 ? "quiet" : "usual";
                int[] response = quoting(prompt, random);
                signatures.put(eightBytes(PromptSignature.of(prompt).bytes(), 0), scope + " " + i);
                copies.put(eightBytes(RememberedAnswer.copied(prompt, response).toByteArray(), 0), scope + " " + i);
                Instant now = Instant.now().truncatedTo(ChronoUnit.MILLIS);
                if (scope.equals("usual")) {
                    tails.addAll(CANARIES.tail(i, 3));
                } else {
                    ofQuiet.put(RequestHash.of("r" + i), withoutPrompt("r" + i, scope, response, now));
                }
                fleet.produce(null, record("r" + i, scope, prompt, response, now));
            }
            fleet.awaitSettled();

            Set<Integer> found = new TreeSet<>();
            Set<String> signed = new TreeSet<>();
            Set<String> copying = new TreeSet<>();
            TopicReader topics = new TopicReader(loop.loop().bootstrap());
            for (Topic topic : Topic.values()) {
                for (ConsumerRecord<byte[], byte[]> each : topics.readRaw(topic)) {
                    if (each.value() != null && topic != Topic.GENERATIONS) {
                        found.addAll(CANARIES.in(each.value()));
                        signed.addAll(known(each.value(), signatures));
                        copying.addAll(known(each.value(), copies));
                    }
                }
            }
            assertThat(found).as("of topics").isEqualTo(tails);
            assertThat(ofFiles()).as("of files").isEqualTo(tails);
            Set<String> usual = new TreeSet<>(signatures.values());
            usual.removeIf(of -> !of.startsWith("usual"));
            assertThat(usual).hasSize(GENERATIONS / 2);
            assertThat(signed).as("signatures in topics").isEqualTo(usual);
            assertThat(knownInFiles(signatures)).as("in files").isEqualTo(usual);
            assertThat(copying).as("which tokens are copied, in topics").isEmpty();
            assertThat(knownInFiles(copies)).as("the same in files").isSubsetOf(usual);
            assertThat(ofQuiet).hasSize(GENERATIONS / 2);
            assertThat(admitted(topics, "quiet")).as("admitted of quiet").isEqualTo(texts(ofQuiet));
            assertThat(keptOfPrompts("quiet"))
                    .as("of quiet: signatures, copies")
                    .containsExactly("0, 0");
            assertThat(keptOfPrompts("usual")).as("of usual").containsExactly("1, 1");
        }
    }

    /** About every other token is the prompt's, the last one for certain; none of them stand beside the next one. */
    private static int[] quoting(int[] prompt, Random random) {
        int[] response = random.ints(RESPONSE_TOKENS, 0, 30_000).toArray();
        for (int i = 0; i < RESPONSE_TOKENS; i++) {
            if (i == RESPONSE_TOKENS - 1 || random.nextBoolean()) {
                response[i] = prompt[2 + 2 * random.nextInt(PROMPT_TOKENS / 2 - 4)];
            }
        }
        return response;
    }

    /** What topic admitted is to hold of an answer whose prompt nobody sent: where it holds more, that tells of the prompt. */
    private static byte[] withoutPrompt(String id, String scope, int[] response, Instant completedAt) {
        RequestHash hash = RequestHash.of(id);
        return RecordCodec.ADMITTED_ANSWER.encode(AdmittedAnswer.newBuilder()
                .setLane(MODEL.lane(scope).toLane())
                .setRequestHigh(hash.high())
                .setRequestLow(hash.low())
                .setTokens(TokenIds.toList(response))
                .setCompletedAt(completedAt)
                .build());
    }

    /** The records of a scope's answers, as text; one that came twice is there once. */
    private static Map<RequestHash, String> admitted(TopicReader topics, String scope) throws Exception {
        Map<RequestHash, byte[]> records = new HashMap<>();
        for (ConsumerRecord<byte[], byte[]> each : topics.readRaw(Topic.ADMITTED)) {
            AdmittedAnswer answer = RecordCodec.ADMITTED_ANSWER.decode(each.value());
            if (answer.getLane().getScope().equals(scope)) {
                records.put(new RequestHash(answer.getRequestHigh(), answer.getRequestLow()), each.value());
            }
        }
        return texts(records);
    }

    private static Map<RequestHash, String> texts(Map<RequestHash, byte[]> records) {
        Map<RequestHash, String> texts = new HashMap<>();
        records.forEach((hash, bytes) -> texts.put(hash, HexFormat.of().formatHex(bytes)));
        return texts;
    }

    private static byte[] record(String id, String scope, int[] prompt, int[] response, Instant now) {
        return RecordCodec.GENERATION.encode(Generation.newBuilder()
                .setRequestId(id)
                .setLane(MODEL.lane(scope).toLane())
                .setProducer("test")
                .setPrompt(TokenIds.toList(prompt))
                .setResponse(TokenIds.toList(response))
                .setStartedAt(now)
                .setCompletedAt(now)
                .build());
    }

    /** Canaries in any file but the broker's, whose topics were read. */
    private static Set<Integer> ofFiles() throws IOException {
        Set<Integer> found = new TreeSet<>();
        try (Stream<Path> files = Files.walk(folder)) {
            for (Path file : files.filter(Files::isRegularFile).toList()) {
                if (!isTheBrokers(file)) {
                    found.addAll(CANARIES.in(bytes(file)));
                }
            }
        }
        return found;
    }

    /** Whether a scope's segments have signatures, and whether they know which tokens are copies. */
    private static Set<String> keptOfPrompts(String scope) throws IOException {
        Set<String> kept = new TreeSet<>();
        try (Stream<Path> files = Files.walk(folder)) {
            for (Path file : files.filter(each -> each.toString().endsWith(".segment"))
                    .filter(each -> each.toString().contains(scope))
                    .toList()) {
                byte[] bytes = bytes(file);
                if (bytes.length > COPIES_AT) {
                    ByteBuffer header = ByteBuffer.wrap(bytes).order(ByteOrder.LITTLE_ENDIAN);
                    kept.add(header.getInt(SIGNATURES_AT) + ", " + header.getInt(COPIES_AT));
                }
            }
        }
        return kept;
    }

    private static Set<String> knownInFiles(Map<Long, String> known) throws IOException {
        Set<String> found = new TreeSet<>();
        try (Stream<Path> files = Files.walk(folder)) {
            for (Path file : files.filter(Files::isRegularFile).toList()) {
                if (!isTheBrokers(file)) {
                    found.addAll(known(bytes(file), known));
                }
            }
        }
        return found;
    }

    /** Whose eight bytes stand among these: of a signature the first four hashes, of copies all bits. */
    private static Set<String> known(byte[] bytes, Map<Long, String> known) {
        Set<String> found = new TreeSet<>();
        for (int at = 0; at + Long.BYTES <= bytes.length; at++) {
            String of = known.get(eightBytes(bytes, at));
            if (of != null) {
                found.add(of);
            }
        }
        return found;
    }

    private static long eightBytes(byte[] bytes, int at) {
        return ByteBuffer.wrap(bytes, at, Long.BYTES).getLong();
    }

    private static boolean isTheBrokers(Path file) {
        String partition = file.getParent().getFileName().toString();
        return Stream.of(Topic.values()).anyMatch(topic -> partition.matches(topic.name("") + "-\\d+"));
    }

    /** The loop goes on: a file may have just gone. */
    private static byte[] bytes(Path file) {
        try {
            return Files.readAllBytes(file);
        } catch (IOException gone) {
            if (Files.exists(file)) {
                throw new UncheckedIOException(gone);
            }
            return new byte[0];
        }
    }
}
