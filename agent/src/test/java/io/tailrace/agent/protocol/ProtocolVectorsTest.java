package io.tailrace.agent.protocol;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.tailrace.suffix.draft.Draft;
import io.tailrace.suffix.draft.SourceKind;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.HexFormat;
import org.junit.jupiter.api.Test;

/** The vectors beside the protocol's page: what a door writes is read as it says, and what it may not write is refused. */
class ProtocolVectorsTest {
    private static final ObjectMapper MAPPER = new ObjectMapper();
    private static final int VOCABULARY = Integer.MAX_VALUE;
    private static final String DOOR = "door to agent";

    private static JsonNode vectors() throws IOException {
        return MAPPER.readTree(Path.of("../engines/protocol-vectors.json").toFile());
    }

    @Test
    void whatADoorSaysIsReadAsThePageSays() throws IOException, RefusedEngineException {
        int read = 0;
        for (JsonNode vector : vectors().get("frames")) {
            if (vector.get("direction").asText().equals(DOOR)) {
                FrameChannel.Frame frame = frame(vector);
                JsonNode fields = vector.get("fields");
                ObjectNode told = vector.get("type").asText().equals("HELLO") ? hello(Hello.read(frame)) : step(frame);
                assertThat(told.toString())
                        .as(vector.get("name").asText())
                        .isEqualTo(MAPPER.readTree(fields.toString()).toString());
                read++;
            }
        }
        assertThat(read).isGreaterThan(4);
    }

    @Test
    void whatAnAgentSaysIsWrittenAsThePageSays() throws IOException {
        int written = 0;
        for (JsonNode vector : vectors().get("frames")) {
            JsonNode fields = vector.get("fields");
            FrameWriter frame = new FrameWriter();
            long sequence = vector.get("sequence").asLong();
            switch (vector.get("type").asText()) {
                case "WELCOME" ->
                    frame.begin(FrameFormat.WELCOME, sequence)
                            .u32(FrameFormat.VERSION)
                            .string(fields.get("agent").asText())
                            .string(fields.get("scope").asText());
                case "REFUSED" ->
                    frame.begin(FrameFormat.REFUSED, sequence)
                            .u32(fields.get("code").asInt())
                            .string(fields.get("words").asText());
                case "DRAFTS" -> writeDrafts(frame, sequence, fields);
                default -> {
                    continue;
                }
            }
            written++;
            ByteBuffer bytes = frame.end();
            byte[] sent = new byte[bytes.remaining()];
            bytes.get(sent);
            assertThat(HexFormat.of().formatHex(sent))
                    .as(vector.get("name").asText())
                    .isEqualTo(vector.get("hex").asText());
        }
        assertThat(written).isGreaterThan(4);
    }

    private static void writeDrafts(FrameWriter frame, long sequence, JsonNode fields) {
        DraftsWriter writer = new DraftsWriter(frame);
        JsonNode drafts = fields.get("drafts");
        writer.begin(
                sequence,
                fields.get("reports").asLong(),
                fields.get("off").asBoolean(),
                fields.get("pause").asInt(),
                drafts.size());
        for (JsonNode draft : drafts) {
            RecordedDraft recorded = new RecordedDraft(draft);
            writer.draft(draft.get("request").asInt(), recorded, recorded.size());
        }
    }

    @Test
    void whatADoorMayNotSayIsRefused() throws IOException {
        for (JsonNode vector : vectors().get("broken")) {
            if (vector.get("direction").asText().equals(DOOR)) {
                assertThatThrownBy(() -> readAnything(frame(vector)))
                        .as(vector.get("name").asText())
                        .isInstanceOf(RefusedEngineException.class);
            }
        }
    }

    private static void readAnything(FrameChannel.Frame frame) throws RefusedEngineException {
        if (frame.type() == FrameFormat.HELLO) {
            Hello.read(frame);
        } else {
            step(frame);
        }
    }

    private static ObjectNode hello(Hello hello) {
        return MAPPER.createObjectNode()
                .put("version", FrameFormat.VERSION)
                .put("vocabulary", hello.vocabularySize())
                .put("requestsMax", hello.requestsMax())
                .put("draftTokensMax", hello.draftTokensMax())
                .put("trees", hello.trees())
                .put("engine", hello.engine())
                .put("model", hello.model())
                .put("revision", hello.revision())
                .put("tokenizer", hello.tokenizerFingerprint());
    }

    private static ObjectNode step(FrameChannel.Frame frame) throws RefusedEngineException {
        StepFrame step = StepFrame.read(frame);
        Recorded recorded = new Recorded();
        step.handTo(recorded, VOCABULARY);
        ObjectNode told = MAPPER.createObjectNode()
                .put("nanos", step.nanos())
                .put("requests", step.requests())
                .put("rows", step.rows())
                .put("draftTokensMax", step.draftTokensMax());
        told.set("operations", recorded.operations);
        return told;
    }

    private static FrameChannel.Frame frame(JsonNode vector) throws IOException, RefusedEngineException {
        return new FrameChannel(new BytesChannel(
                        HexFormat.of().parseHex(vector.get("hex").asText()), Integer.MAX_VALUE))
                .read();
    }

    /** A draft, as the vectors say it. */
    private record RecordedDraft(JsonNode fields) implements Draft {
        @Override
        public int size() {
            return fields.get("tokens").size();
        }

        @Override
        public int token(int node) {
            return fields.get("tokens").get(node).asInt();
        }

        @Override
        public int parent(int node) {
            return fields.get("parents").get(node).asInt();
        }

        @Override
        public float probability(int node) {
            return (float) fields.get("probabilities").get(node).asDouble();
        }

        @Override
        public SourceKind source(int node) {
            int index = fields.get("sources").get(node).asInt();
            return Arrays.stream(SourceKind.values())
                    .filter(kind -> kind.index() == index)
                    .findFirst()
                    .orElse(null);
        }

        @Override
        public int matchLength(int node) {
            return 1;
        }
    }

    /** What operations said, as the vectors say it. */
    private static final class Recorded implements StepFrame.Operations {
        private final ArrayNode operations = MAPPER.createArrayNode();
        private final int[] room = new int[1 << 16];

        @Override
        public void begin(StepFrame.Begin begun) {
            ObjectNode told = operations
                    .addObject()
                    .put("kind", "begin")
                    .put("request", Integer.toUnsignedLong(begun.request()))
                    .put("private", begun.secret())
                    .put("promptTokens", begun.promptTokens())
                    .put("arrivedMillis", begun.startedAtMillis())
                    .put("temperature", (double) begun.temperature())
                    .put("requestId", begun.id())
                    .put("scope", begun.scope());
            tokens(told.putArray("tokens"), begun.tokens(), begun.tokens().length);
        }

        @Override
        public int[] room(int request, int more) {
            return room;
        }

        @Override
        public int length(int request) {
            return 0;
        }

        @Override
        public void extend(int request, int verified, int count) {
            ObjectNode told = operations
                    .addObject()
                    .put("kind", "extend")
                    .put("request", Integer.toUnsignedLong(request))
                    .put("verified", verified);
            tokens(told.putArray("tokens"), room, count);
        }

        @Override
        public void end(int request, EndReason reason, long atMillis) {
            operations
                    .addObject()
                    .put("kind", "end")
                    .put("request", Integer.toUnsignedLong(request))
                    .put("reason", reason.code())
                    .put("saidMillis", atMillis);
        }

        @Override
        public void draft(int request, int tokensMax) {
            operations
                    .addObject()
                    .put("kind", "draft")
                    .put("request", Integer.toUnsignedLong(request))
                    .put("tokensMax", tokensMax);
        }

        private static void tokens(ArrayNode into, int[] tokens, int count) {
            for (int i = 0; i < count; i++) {
                into.add(tokens[i]);
            }
        }
    }
}
