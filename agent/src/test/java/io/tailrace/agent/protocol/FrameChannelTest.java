package io.tailrace.agent.protocol;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.EOFException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import org.junit.jupiter.api.Test;

class FrameChannelTest {
    private static final int TOKENS = 1 << 18;

    /** Sixteen bytes must not cost an agent sixteen million. */
    @Test
    void aLengthThatIsOnlyClaimedCostsNothing() throws IOException {
        byte[] head = ByteBuffer.allocate(FrameFormat.HEADER_BYTES)
                .order(ByteOrder.LITTLE_ENDIAN)
                .putInt(FrameFormat.LENGTH_AT, FrameFormat.BODY_BYTES_MAX)
                .array();
        BytesChannel bytes = new BytesChannel(head, Integer.MAX_VALUE);
        try (FrameChannel channel = new FrameChannel(bytes)) {
            assertThatThrownBy(channel::read).isInstanceOf(EOFException.class);
        }
        assertThat(bytes.roomMax()).isLessThanOrEqualTo(1 << 16);
    }

    /** Whoever has not said who it is may make nobody keep much for it. */
    @Test
    void theFirstFrameIsAShortOne() throws Exception {
        byte[] header = new byte[FrameFormat.HEADER_BYTES + FrameFormat.HELLO_BYTES_MAX + 1];
        ByteBuffer.wrap(header).order(ByteOrder.LITTLE_ENDIAN).putInt(FrameFormat.HELLO_BYTES_MAX + 1);
        try (FrameChannel channel = new FrameChannel(new BytesChannel(header, Integer.MAX_VALUE))) {
            assertThatThrownBy(channel::readHello)
                    .isInstanceOf(RefusedEngineException.class)
                    .hasMessageContaining("at most 16384 bytes, got 16385");
        }
    }

    @Test
    void aLongFrameIsReadHoweverItComes() throws Exception {
        FrameWriter frame = new FrameWriter().begin(FrameFormat.STEP, 7);
        for (int i = 0; i < TOKENS; i++) {
            frame.u32(i);
        }
        ByteBuffer sent = frame.end();
        byte[] twice = new byte[2 * sent.remaining()];
        sent.duplicate().get(twice, 0, sent.remaining());
        sent.duplicate().get(twice, sent.remaining(), sent.remaining());
        for (int atOnce : new int[] {1_000, 65_536, Integer.MAX_VALUE}) {
            try (FrameChannel channel = new FrameChannel(new BytesChannel(twice, atOnce))) {
                for (int round = 0; round < 2; round++) {
                    FrameChannel.Frame read = channel.read();
                    assertThat(read.sequence()).isEqualTo(7);
                    int[] tokens = new int[TOKENS];
                    read.body().tokens("tokens", TOKENS, TOKENS, tokens, 0);
                    assertThat(tokens[TOKENS - 1]).isEqualTo(TOKENS - 1);
                    read.body().end();
                }
                assertThat(channel.read()).isNull();
            }
        }
    }
}
