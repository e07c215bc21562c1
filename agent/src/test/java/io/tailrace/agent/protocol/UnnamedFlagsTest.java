package io.tailrace.agent.protocol;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.ByteBuffer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Flag bits that the page does not name are ignored, all of them. */
class UnnamedFlagsTest {
    private static final int UNNAMED = ~1;

    @ParameterizedTest
    @ValueSource(ints = {0, 1})
    void ofAHello(int trees) throws Exception {
        FrameWriter frame = new FrameWriter();
        frame.begin(FrameFormat.HELLO, 0)
                .u32(FrameFormat.VERSION)
                .u32(100)
                .u32(4)
                .u32(16)
                .u32(UNNAMED | trees)
                .string("engine")
                .string("llama")
                .string("1")
                .string("sha256:0");
        assertThat(Hello.read(read(frame)).trees()).isEqualTo(trees == 1);
    }

    @Test
    void ofABegin() throws Exception {
        FrameWriter frame = new FrameWriter();
        frame.begin(FrameFormat.STEP, 1).i64(0).u32(0).u32(0).u32(0).u32(1);
        frame.u32(FrameFormat.BEGIN)
                .u32(1)
                .u32(UNNAMED)
                .u32(0)
                .i64(1_000)
                .f32(0)
                .string("r")
                .string("");
        frame.u32(0);
        StepFrame step = StepFrame.read(read(frame));
        assertThat(step.body().u32("kind", 1, 1)).isEqualTo(FrameFormat.BEGIN);
        int request = step.body().number("request");
        assertThat(StepFrame.Begin.read(request, step.body(), 100).secret()).isFalse();
    }

    private static FrameChannel.Frame read(FrameWriter frame) throws Exception {
        ByteBuffer bytes = frame.end();
        byte[] sent = new byte[bytes.remaining()];
        bytes.get(sent);
        return new FrameChannel(new BytesChannel(sent, Integer.MAX_VALUE)).read();
    }
}
