package io.tailrace.agent.serve;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.net.StandardProtocolFamily;
import java.net.UnixDomainSocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.ClosedChannelException;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

@Timeout(value = 60, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class PatientChannelTest implements PatientChannel.Pause {
    @TempDir
    private Path folder;

    private SocketChannel other;
    private PatientChannel channel;
    private long millis;
    private int pauses;
    private Runnable inPause = () -> {};

    @BeforeEach
    void connect() throws IOException {
        UnixDomainSocketAddress at = UnixDomainSocketAddress.of(folder.resolve("s"));
        try (ServerSocketChannel server = ServerSocketChannel.open(StandardProtocolFamily.UNIX)) {
            server.bind(at);
            other = SocketChannel.open(at);
            channel = new PatientChannel(server.accept(), this);
        }
    }

    @AfterEach
    void close() throws IOException {
        other.close();
        channel.close();
    }

    @Override
    public long millis() {
        return millis;
    }

    @Override
    public void use() {
        pauses++;
        inPause.run();
    }

    private void say(String text) {
        try {
            other.write(ByteBuffer.wrap(text.getBytes(StandardCharsets.US_ASCII)));
        } catch (IOException e) {
            throw new IllegalStateException(e);
        }
    }

    private String hear() throws IOException {
        ByteBuffer into = ByteBuffer.allocate(100);
        int read = channel.read(into);
        return read < 0 ? null : new String(into.array(), 0, read, StandardCharsets.US_ASCII);
    }

    @Test
    void pausesAreUsedUntilSomethingComes() throws IOException {
        millis = 1;
        inPause = () -> {
            if (pauses == 5) {
                say("step");
            }
        };
        assertThat(hear()).isEqualTo("step");
        assertThat(pauses).isEqualTo(5);
    }

    @Test
    void whatIsThereIsReadWithoutAPause() throws IOException {
        millis = 1;
        for (int i = 0; i < 1_000; i++) {
            say("step");
            assertThat(hear()).isEqualTo("step");
        }
        assertThat(pauses).isZero();
    }

    @Test
    void withoutAPauseItWaitsForWhatComes() throws Exception {
        CompletableFuture<Void> later = CompletableFuture.runAsync(
                () -> say("late"), CompletableFuture.delayedExecutor(300, TimeUnit.MILLISECONDS));
        assertThat(hear()).isEqualTo("late");
        later.get();
        assertThat(pauses).isZero();
    }

    @Test
    void theOtherSidesEndIsRead() throws IOException {
        say("last");
        other.close();
        assertThat(hear()).isEqualTo("last");
        assertThat(hear()).isNull();
    }

    /** Many times what a socket holds. */
    @Test
    void aLongWriteWaitsForItsReader() throws Exception {
        byte[] sent = new byte[16 << 20];
        for (int i = 0; i < sent.length; i++) {
            sent[i] = (byte) ((i * 31) >>> 8);
        }
        ByteBuffer got = ByteBuffer.allocate(sent.length);
        CompletableFuture<Void> reading = CompletableFuture.runAsync(() -> {
            try {
                while (got.hasRemaining()) {
                    other.read(got);
                }
            } catch (IOException e) {
                throw new IllegalStateException(e);
            }
        });
        assertThat(channel.write(ByteBuffer.wrap(sent))).isEqualTo(sent.length);
        reading.get();
        assertThat(got.array()).isEqualTo(sent);
        say("and back");
        assertThat(hear()).isEqualTo("and back");
    }

    @Test
    void whoWaitsHearsThatAnotherThreadHasClosedIt() throws Exception {
        CompletableFuture<Void> closing = CompletableFuture.runAsync(
                () -> {
                    try {
                        channel.close();
                    } catch (IOException e) {
                        throw new IllegalStateException(e);
                    }
                },
                CompletableFuture.delayedExecutor(200, TimeUnit.MILLISECONDS));
        assertThatThrownBy(this::hear).isInstanceOf(ClosedChannelException.class);
        closing.get();
        assertThat(channel.isOpen()).isFalse();
        assertThatThrownBy(this::hear).isInstanceOf(ClosedChannelException.class);
        assertThat(other.read(ByteBuffer.allocate(1)))
                .as("the other side hears of it")
                .isEqualTo(-1);
    }

    @Test
    void itCanBeClosedTwice() throws IOException {
        channel.close();
        channel.close();
    }
}
