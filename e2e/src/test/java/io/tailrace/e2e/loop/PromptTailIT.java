package io.tailrace.e2e.loop;

import static org.assertj.core.api.Assertions.assertThat;

import io.tailrace.client.follow.ServedModel;
import io.tailrace.lab.loop.LoopObserver;
import io.tailrace.lab.loop.LoopUnderLoad;
import io.tailrace.schemas.Generation;
import io.tailrace.schemas.RecordCodec;
import io.tailrace.schemas.TokenIds;
import io.tailrace.schemas.Topic;
import io.tailrace.suffix.PromptSignature;
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
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Stream;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Of a prompt no more than its tail and its signature leave topic generations, and nothing where the scope says so. */
class PromptTailIT {
    /** So many ids that four bytes are no token by chance. */
    private static final ServedModel MODEL = new ServedModel("wide", "1", Integer.MAX_VALUE, "test-tokenizer");

    /** In a segment's header. */
    private static final int SIGNATURES_AT = 96;

    private static final int COPIES_AT = 100;

    private static final int PROMPT_TOKENS = 64;
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
            Random random = new Random(7);
            for (int i = 0; i < GENERATIONS; i++) {
                int[] prompt = CANARIES.prompt(i);
                String scope = i % 2 == 0 ? "quiet" : "usual";
                signatures.put(firstHashes(PromptSignature.of(prompt).bytes(), 0), scope + " " + i);
                if (scope.equals("usual")) {
                    tails.addAll(CANARIES.tail(i, 3));
                }
                fleet.produce(
                        null,
                        record(
                                "r" + i,
                                scope,
                                prompt,
                                random.ints(50, 0, 30_000).toArray()));
            }
            fleet.awaitSettled();

            Set<Integer> found = new TreeSet<>();
            Set<String> signed = new TreeSet<>();
            TopicReader topics = new TopicReader(loop.loop().bootstrap());
            for (Topic topic : Topic.values()) {
                for (ConsumerRecord<byte[], byte[]> each : topics.readRaw(topic)) {
                    if (each.value() != null && topic != Topic.GENERATIONS) {
                        found.addAll(CANARIES.in(each.value()));
                        signed.addAll(signatures(each.value(), signatures));
                    }
                }
            }
            assertThat(found).as("of topics").isEqualTo(tails);
            assertThat(ofFiles()).as("of files").isEqualTo(tails);
            Set<String> usual = new TreeSet<>(signatures.values());
            usual.removeIf(of -> !of.startsWith("usual"));
            assertThat(usual).hasSize(GENERATIONS / 2);
            assertThat(signed).as("signatures in topics").isEqualTo(usual);
            assertThat(signaturesInFiles(signatures)).as("in files").isEqualTo(usual);
            assertThat(keptOfPrompts("quiet"))
                    .as("of quiet: signatures, copies")
                    .containsExactly("0, 0");
            assertThat(keptOfPrompts("usual")).as("of usual").containsExactly("1, 1");
        }
    }

    private static byte[] record(String id, String scope, int[] prompt, int[] response) {
        Instant now = Instant.now().truncatedTo(ChronoUnit.MILLIS);
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

    private static Set<String> signaturesInFiles(Map<Long, String> signatures) throws IOException {
        Set<String> found = new TreeSet<>();
        try (Stream<Path> files = Files.walk(folder)) {
            for (Path file : files.filter(Files::isRegularFile).toList()) {
                if (!isTheBrokers(file)) {
                    found.addAll(signatures(bytes(file), signatures));
                }
            }
        }
        return found;
    }

    /** Whose signatures' first four hashes stand among the bytes. */
    private static Set<String> signatures(byte[] bytes, Map<Long, String> signatures) {
        Set<String> found = new TreeSet<>();
        for (int at = 0; at + Long.BYTES <= bytes.length; at++) {
            String of = signatures.get(firstHashes(bytes, at));
            if (of != null) {
                found.add(of);
            }
        }
        return found;
    }

    private static long firstHashes(byte[] bytes, int at) {
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
