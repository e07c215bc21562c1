package io.tailrace.e2e.serving;

import static org.assertj.core.api.Assertions.assertThat;

import io.tailrace.agent.protocol.FrameFormat;
import io.tailrace.agent.protocol.FrameWriter;
import io.tailrace.client.follow.ServedModel;
import java.io.EOFException;
import java.io.IOException;
import java.net.UnixDomainSocketAddress;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.channels.SocketChannel;
import java.nio.file.Path;

/** An engine at an agent's socket that asks for no drafts: a request begins in one step and ends in the next. */
final class PlainDoor implements AutoCloseable {
    private static final int BEGIN = 1;
    private static final int EXTEND = 2;
    private static final int END = 3;
    private static final int HEADER_BYTES = 16;
    private static final long STEP_NANOS = 10_000_000;

    private final SocketChannel channel;
    private final FrameWriter frame = new FrameWriter();
    private long sequence;

    /** Says hello. */
    PlainDoor(Path socket, String engine, ServedModel model) throws IOException {
        channel = SocketChannel.open(UnixDomainSocketAddress.of(socket));
        frame.begin(FrameFormat.HELLO, 0)
                .u32(FrameFormat.VERSION)
                .u32(model.vocabularySize())
                .u32(64)
                .u32(16)
                .u32(0)
                .string(engine)
                .string(model.model())
                .string(model.revision())
                .string(model.tokenizerFingerprint());
        exchange();
    }

    /** Serves a request from its beginning to its end. */
    void serve(String id, String scope, int[] prompt, int[] answer) throws IOException {
        step(1).u32(BEGIN)
                .u32(1)
                .u32(0)
                .u32(prompt.length)
                .i64(1_000)
                .f32(0)
                .string(id)
                .string(scope);
        tokens(prompt);
        exchange();
        step(2).u32(EXTEND).u32(1).u32(0);
        tokens(answer);
        frame.u32(END).u32(1).u32(1).i64(System.currentTimeMillis());
        exchange();
    }

    private FrameWriter step(int operations) {
        return frame.begin(FrameFormat.STEP, ++sequence)
                .i64(STEP_NANOS)
                .u32(1)
                .u32(1)
                .u32(1 << 20)
                .u32(operations);
    }

    private void tokens(int[] tokens) {
        frame.u32(tokens.length);
        for (int token : tokens) {
            frame.u32(token);
        }
    }

    /** Sends the frame and takes the answer, which must be no refusal. */
    private void exchange() throws IOException {
        ByteBuffer bytes = frame.end();
        while (bytes.hasRemaining()) {
            channel.write(bytes);
        }
        ByteBuffer header = fill(HEADER_BYTES);
        assertThat(header.getInt(Integer.BYTES)).as("kind of the answer").isNotEqualTo(FrameFormat.REFUSED);
        fill(header.getInt(0));
    }

    private ByteBuffer fill(int bytes) throws IOException {
        ByteBuffer into = ByteBuffer.allocate(bytes).order(ByteOrder.LITTLE_ENDIAN);
        while (into.hasRemaining()) {
            if (channel.read(into) < 0) {
                throw new EOFException("the agent has closed");
            }
        }
        return into.flip();
    }

    @Override
    public void close() throws IOException {
        channel.close();
    }
}
