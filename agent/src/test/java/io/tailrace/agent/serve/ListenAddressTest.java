package io.tailrace.agent.serve;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.net.SocketException;
import java.net.StandardProtocolFamily;
import java.net.UnixDomainSocketAddress;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Who can connect at an agent's socket, and from when on. */
class ListenAddressTest {
    private static final int TIMES = 300;

    @TempDir
    private Path folder;

    /** The system binds a socket with what the process leaves open, which is much in some containers. */
    @Test
    void nobodyEverFindsTheSocketOpenToOthers() throws Exception {
        Path socket = folder.resolve("agent.sock");
        Set<String> found = ConcurrentHashMap.newKeySet();
        AtomicBoolean over = new AtomicBoolean();
        Thread looking = new Thread(() -> look(socket, found, over));
        looking.start();
        try {
            for (int i = 0; i < TIMES; i++) {
                ListenAddress.parse(socket.toString()).open().close();
                Files.delete(socket);
            }
        } finally {
            over.set(true);
            looking.join();
        }
        assertThat(found).containsExactly("rw-------");
    }

    private static void look(Path socket, Set<String> found, AtomicBoolean over) {
        while (!over.get()) {
            try {
                found.add(PosixFilePermissions.toString(Files.getPosixFilePermissions(socket)));
            } catch (NoSuchFileException e) {
                Thread.onSpinWait();
            } catch (IOException e) {
                found.add(e.toString());
            }
        }
    }

    /** As a volume that several containers of a pod mount. */
    @Test
    void aFolderThatAllMayWriteIsGoodEnoughAndNothingElseIsLeftThere() throws IOException {
        Files.setPosixFilePermissions(folder, PosixFilePermissions.fromString("rwxrwxrwx"));
        Path socket = folder.resolve("agent.sock");
        try (ServerSocketChannel server = ListenAddress.parse(socket.toString()).open();
                SocketChannel engine = SocketChannel.open(UnixDomainSocketAddress.of(socket));
                SocketChannel accepted = server.accept()) {
            assertThat(engine.isConnected()).isTrue();
            assertThat(accepted.isConnected()).isTrue();
            try (Stream<Path> left = Files.list(folder)) {
                assertThat(left).containsExactly(socket);
            }
        }
    }

    @Test
    void foldersThatAreMissingAreMadeForTheirOwnerOnly() throws IOException {
        Path socket = folder.resolve("run/tailrace/agent.sock");
        ListenAddress.parse(socket.toString()).open().close();
        for (Path made : new Path[] {socket.getParent(), folder.resolve("run")}) {
            assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(made)))
                    .as(made.toString())
                    .isEqualTo("rwx------");
        }
    }

    @Test
    void anotherAgentThatAcceptsNobodyIsLeftAlone() throws IOException {
        Path socket = folder.resolve("agent.sock");
        UnixDomainSocketAddress address = UnixDomainSocketAddress.of(socket);
        List<SocketChannel> waiting = new ArrayList<>();
        try (ServerSocketChannel stopped = ServerSocketChannel.open(StandardProtocolFamily.UNIX)) {
            stopped.bind(address, 1);
            assertThatThrownBy(() -> fill(address, waiting)).isInstanceOf(SocketException.class);
            assertThatThrownBy(() -> ListenAddress.parse(socket.toString()).open())
                    .isInstanceOf(IOException.class)
                    .hasMessageContaining("whether another agent listens there cannot be found out");
            assertThat(socket).exists();
        } finally {
            for (SocketChannel engine : waiting) {
                engine.close();
            }
        }
    }

    /** Connects until the system takes no more callers that nobody accepts. */
    private static void fill(UnixDomainSocketAddress address, List<SocketChannel> waiting) throws IOException {
        while (true) {
            SocketChannel engine = SocketChannel.open(StandardProtocolFamily.UNIX);
            waiting.add(engine);
            engine.configureBlocking(false);
            engine.connect(address);
        }
    }

    @Test
    void aPathThatIsTooLongForASocketIsNamed() throws IOException {
        Path socket = folder.resolve("a".repeat(100));
        assertThatThrownBy(() -> ListenAddress.parse(socket.toString()).open().close())
                .isInstanceOf(IOException.class)
                .hasMessageContaining("engines cannot connect at " + socket);
        assertThat(folder).isEmptyDirectory();
    }
}
