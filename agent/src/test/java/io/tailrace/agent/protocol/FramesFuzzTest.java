package io.tailrace.agent.protocol;

import static org.assertj.core.api.Assertions.assertThat;

import com.code_intelligence.jazzer.junit.FuzzTest;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.tailrace.testkit.AllocationLimit;
import java.io.ByteArrayOutputStream;
import java.io.EOFException;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.stream.Stream;
import java.util.stream.StreamSupport;
import org.junit.jupiter.params.provider.MethodSource;

/** What a door sends over a connection: frames, and what they say. The first byte is how many bytes come at once. */
class FramesFuzzTest {
    private static final int VOCABULARY = 1_000;
    private static final int BUFFER_BYTES_MIN = 1 << 16;

    static Stream<byte[]> seeds() throws IOException {
        JsonNode vectors = new ObjectMapper()
                .readTree(Path.of("../engines/protocol-vectors.json").toFile());
        ByteArrayOutputStream all = new ByteArrayOutputStream();
        all.write(100);
        frames(vectors.get("frames")).forEach(all::writeBytes);
        return Stream.concat(
                Stream.of(all.toByteArray()),
                Stream.concat(frames(vectors.get("frames")), frames(vectors.get("broken")))
                        .map(frame -> {
                            byte[] seed = new byte[frame.length + 1];
                            System.arraycopy(frame, 0, seed, 1, frame.length);
                            return seed;
                        }));
    }

    private static Stream<byte[]> frames(JsonNode vectors) {
        return StreamSupport.stream(vectors.spliterator(), false)
                .filter(vector -> vector.get("direction").asText().equals("door to agent"))
                .map(vector -> HexFormat.of().parseHex(vector.get("hex").asText()));
    }

    @MethodSource("seeds")
    @FuzzTest
    void framesAreReadOrRefused(byte[] data) throws Exception {
        if (data.length == 0) {
            return;
        }
        byte[] sent = Arrays.copyOfRange(data, 1, data.length);
        AllocationLimit.check(sent.length, () -> {
            BytesChannel channel = new BytesChannel(sent, 1 + (data[0] & 0xFF));
            read(channel);
            assertThat(channel.roomMax()).isLessThanOrEqualTo(Math.max(BUFFER_BYTES_MIN, 2 * sent.length));
            return null;
        });
    }

    private static void read(BytesChannel bytes) throws IOException {
        try (FrameChannel channel = new FrameChannel(bytes)) {
            for (FrameChannel.Frame frame = channel.read(); frame != null; frame = channel.read()) {
                if (frame.type() == FrameFormat.HELLO) {
                    Hello hello = Hello.read(frame);
                    assertThat(hello.requestsMax()).isBetween(1, FrameFormat.REQUESTS_MAX);
                    assertThat(hello.draftTokensMax()).isBetween(1, FrameFormat.DRAFT_TOKENS_MAX);
                } else {
                    StepFrame.read(frame).handTo(new Listening(), VOCABULARY);
                }
            }
        } catch (RefusedEngineException refused) {
            assertThat(refused).hasMessageMatching("(?s).+");
        } catch (EOFException cut) {
            assertThat(cut).hasMessageContaining("in the middle of a frame");
        }
    }

    /** Checks what a step's operations are told. */
    private static final class Listening implements StepFrame.Operations {
        private int[] room = {};

        @Override
        public void begin(StepFrame.Begin request) {
            assertThat(request.id()).isNotEmpty();
            assertThat(request.promptTokens()).isBetween(0, request.tokens().length);
            assertTokens(request.tokens(), request.tokens().length);
        }

        @Override
        public int[] room(int request, int more) {
            room = new int[more];
            return room;
        }

        @Override
        public int length(int request) {
            return 0;
        }

        @Override
        public void extend(int request, int verified, int count) {
            assertThat(verified).isBetween(0, FrameFormat.DRAFT_TOKENS_MAX);
            assertTokens(room, count);
        }

        @Override
        public void end(int request, EndReason reason, long atMillis) {
            assertThat(reason).isNotNull();
        }

        @Override
        public void draft(int request, int tokensMax) {
            assertThat(tokensMax).isBetween(1, FrameFormat.DRAFT_TOKENS_MAX);
        }

        private static void assertTokens(int[] tokens, int count) {
            for (int i = 0; i < count; i++) {
                assertThat(tokens[i]).isBetween(0, VOCABULARY - 1);
            }
        }
    }
}
