package io.tailrace.lab.check;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.tailrace.cli.Tailrace;
import io.tailrace.local.EmbeddedBroker;
import io.tailrace.operators.RawRecord;
import io.tailrace.operators.admission.AdmissionCheck;
import io.tailrace.schemas.Generation;
import io.tailrace.schemas.LaneId;
import io.tailrace.schemas.RecordCodec;
import io.tailrace.schemas.Rejection;
import io.tailrace.schemas.RejectionReason;
import io.tailrace.schemas.TokenIds;
import io.tailrace.schemas.Topic;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import java.util.regex.Pattern;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.NewTopic;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.clients.producer.RecordMetadata;
import org.apache.kafka.common.serialization.ByteArraySerializer;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The command beside a real broker. */
@Tag("full")
final class CheckTopicIT {
    private static final int VOCABULARY = 1_000;
    private static final String BOUND = "generations-acme";

    @TempDir
    private static Path folder;

    private static EmbeddedBroker broker;
    private static Admin admin;
    private static KafkaProducer<byte[], byte[]> producer;

    private final StringWriter out = new StringWriter();
    private final StringWriter err = new StringWriter();

    @BeforeAll
    static void start() throws Exception {
        broker = EmbeddedBroker.start(folder.resolve("broker"));
        admin = Admin.create(Map.<String, Object>of("bootstrap.servers", broker.bootstrap()));
        Map<String, Object> settings =
                Map.of("bootstrap.servers", broker.bootstrap(), "max.request.size", Topic.RECORD_BYTES_MAX);
        producer = new KafkaProducer<>(settings, new ByteArraySerializer(), new ByteArraySerializer());
    }

    @AfterAll
    static void end() {
        producer.close();
        admin.close();
        broker.close();
    }

    private static void create(String topic, int partitions) throws Exception {
        admin.createTopics(List.of(new NewTopic(topic, partitions, (short) 1).configs(Topic.GENERATIONS.settings())))
                .all()
                .get();
    }

    private static RecordMetadata send(String topic, int partition, byte[] value) throws Exception {
        return producer.send(new ProducerRecord<>(topic, partition, null, value))
                .get();
    }

    private static byte[] generation(Consumer<Generation> change) {
        Instant now = Instant.now();
        Generation generation = Generation.newBuilder()
                .setRequestId("request")
                .setLane(LaneId.parse("toy@1/acme").toLane())
                .setProducer("gateway")
                .setResponse(TokenIds.toList(new int[] {1, 2, 3}))
                .setStartedAt(now)
                .setCompletedAt(now)
                .build();
        change.accept(generation);
        return RecordCodec.GENERATION.encode(generation);
    }

    private static byte[] good() {
        return generation(generation -> {});
    }

    private static byte[] emptyResponse() {
        return generation(generation -> generation.setResponse(TokenIds.toList(new int[0])));
    }

    private static List<byte[]> bad() {
        byte[] foreign = good();
        foreign[4] ^= 0x55;
        List<byte[]> bad = new ArrayList<>();
        bad.add(null);
        bad.add("no record".getBytes(StandardCharsets.UTF_8));
        bad.add(foreign);
        bad.add(emptyResponse());
        bad.add(generation(generation -> generation.setResponse(TokenIds.toList(new int[] {1, VOCABULARY}))));
        bad.add(generation(generation -> generation.setResponse(TokenIds.toList(new int[(1 << 17) + 1]))));
        bad.add(generation(generation -> generation.setPrompt(TokenIds.toList(new int[(1 << 20) + 1]))));
        bad.add(generation(generation -> generation.setRequestId("")));
        bad.add(generation(generation -> generation.setProducer("p".repeat(201))));
        bad.add(generation(generation -> generation.getLane().setModel("")));
        bad.add(generation(generation -> generation.getLane().setModel(" ")));
        bad.add(generation(generation -> generation.setCompletedAt(Instant.now().minus(Duration.ofDays(8)))));
        return bad;
    }

    private int check(String arguments) {
        return Tailrace.commandLine()
                .setOut(new PrintWriter(out, true))
                .setErr(new PrintWriter(err, true))
                .execute("check --bootstrap %s --vocabulary %d %s"
                        .formatted(broker.bootstrap(), VOCABULARY, arguments)
                        .strip()
                        .split(" +"));
    }

    @Test
    void eachReasonIsCountedWithItsFirstPlaceAsTheRulesSay() throws Exception {
        create("reasons.generations", 2);
        AdmissionCheck rules = new AdmissionCheck(VOCABULARY);
        Map<RejectionReason, List<Rejection>> expected = new EnumMap<>(RejectionReason.class);
        send("reasons.generations", 0, good());
        for (int partition = 1; partition >= 0; partition--) {
            for (byte[] value : bad()) {
                RecordMetadata sent = send("reasons.generations", partition, value);
                Rejection said = rules.judge(
                                new RawRecord(sent.topic(), sent.partition(), sent.offset(), sent.timestamp(), value),
                                sent.timestamp())
                        .orElseThrow();
                expected.computeIfAbsent(said.getReason(), reason -> new ArrayList<>())
                        .add(said);
            }
        }
        assertThat(expected)
                .containsOnlyKeys(
                        RejectionReason.UNDECODABLE,
                        RejectionReason.UNKNOWN_SCHEMA,
                        RejectionReason.EMPTY_RESPONSE,
                        RejectionReason.TOKEN_OUT_OF_VOCABULARY,
                        RejectionReason.RESPONSE_TOO_LONG,
                        RejectionReason.PROMPT_TOO_LONG,
                        RejectionReason.EMPTY_FIELD,
                        RejectionReason.FIELD_TOO_LONG,
                        RejectionReason.UNKNOWN_MODEL,
                        RejectionReason.TIME_OUT_OF_RANGE);

        Path json = folder.resolve("reasons.json");
        assertThat(check("--topic-prefix reasons. --json " + json)).isEqualTo(1);
        int refused = 2 * bad().size();
        assertThat(out.toString())
                .contains("reasons.generations: %d records checked, %d break a rule".formatted(refused + 1, refused));
        JsonNode result = new ObjectMapper().readTree(json.toFile());
        assertThat(result.path("topic").asText()).isEqualTo("reasons.generations");
        assertThat(result.path("checked").asInt()).isEqualTo(refused + 1);
        assertThat(result.path("refused").asInt()).isEqualTo(refused);
        assertThat(result.path("reasons")).hasSize(expected.size()).allSatisfy(row -> {
            List<Rejection> said =
                    expected.get(RejectionReason.valueOf(row.path("reason").asText()));
            Rejection first = said.get(said.size() / 2);
            assertThat(row.path("records").asInt()).isEqualTo(said.size());
            assertThat(row.path("partition").asInt()).isZero().isEqualTo(first.getPartition());
            assertThat(row.path("offset").asLong()).isEqualTo(first.getOffset());
            assertThat(row.path("detail").asText()).isEqualTo(first.getDetail());
            assertThat(out.toString())
                    .containsPattern("reasons.generations-0 at offset %d +%s"
                            .formatted(first.getOffset(), Pattern.quote(first.getDetail())));
        });
    }

    @Test
    void theLastRecordsOfEachPartitionOfAnyTopicAreCheckedAndNobodysPlaceIsKept() throws Exception {
        create(BOUND, 2);
        send(BOUND, 0, emptyResponse());
        send(BOUND, 0, good());
        send(BOUND, 0, good());
        send(BOUND, 1, good());
        assertThat(check("--topic %s --records 2".formatted(BOUND))).isZero();
        assertThat(out.toString()).isEqualTo(BOUND + ": 3 records checked, 0 break a rule\n");
        assertThat(check("--topic " + BOUND)).isEqualTo(1);
        assertThat(out.toString()).contains(BOUND + "-0 at offset 0", BOUND + ": 4 records checked, 1 break a rule");
        assertThat(admin.listGroups().all().get()).isEmpty();
    }

    @Test
    void aTopicThatHasNothingOrIsNotThereIsSaid() throws Exception {
        create("nothing", 1);
        assertThat(check("--topic nothing")).isZero();
        assertThat(out.toString()).contains("nothing: 0 records checked, 0 break a rule");
        assertThat(check("--topic nowhere")).isEqualTo(2);
        assertThat(err.toString()).contains("there is no topic nowhere");
        assertThat(admin.listTopics().names().get()).as("looking makes none").doesNotContain("nowhere");
    }
}
