package io.tailrace.agent.serve;

import java.io.IOException;
import java.net.ConnectException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.SocketAddress;
import java.net.StandardProtocolFamily;
import java.net.StandardSocketOptions;
import java.net.URI;
import java.net.UnixDomainSocketAddress;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.attribute.BasicFileAttributes;
import java.nio.file.attribute.FileAttribute;
import java.nio.file.attribute.PosixFilePermission;
import java.nio.file.attribute.PosixFilePermissions;
import java.security.SecureRandom;
import java.util.Optional;
import java.util.Random;
import java.util.Set;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Where engines connect: a Unix socket, which its owner only may use, or a port of the loopback address, which every user of the host may.
 *
 * @param socket the Unix socket; null: a port
 * @param port of the loopback address, 0: any free one
 */
public record ListenAddress(Path socket, int port) {
    private static final String TCP = "tcp";
    private static final int PORT_MAX = 65_535;
    private static final Set<PosixFilePermission> OWNERS_FILE = PosixFilePermissions.fromString("rw-------");
    private static final FileAttribute<Set<PosixFilePermission>> OWNERS_FOLDER =
            PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rwx------"));
    /** Names of few letters, since a socket's path has hardly more than a hundred. */
    private static final int HIDDEN_RADIX = 36;

    private static final int HIDDEN_NAMES = HIDDEN_RADIX * HIDDEN_RADIX * HIDDEN_RADIX;
    private static final Logger LOG = LoggerFactory.getLogger(ListenAddress.class);

    /**
     * Reads a path, or {@code tcp://127.0.0.1:PORT}.
     *
     * @throws IllegalArgumentException if it is neither, or not of this host alone
     */
    public static ListenAddress parse(String text) {
        if (!text.startsWith(TCP + ":") && !text.contains("://")) {
            return new ListenAddress(Path.of(text).toAbsolutePath(), 0);
        }
        URI uri = URI.create(text);
        boolean local = "127.0.0.1".equals(uri.getHost()) || "localhost".equals(uri.getHost());
        if (!local || !TCP.equals(uri.getScheme()) || uri.getPort() < 0 || uri.getPort() > PORT_MAX) {
            throw new IllegalArgumentException(
                    "engines connect by a socket's path or by tcp://127.0.0.1:PORT, got '%s': what passes there is users' text, so it stays on this host"
                            .formatted(text));
        }
        return new ListenAddress(null, uri.getPort());
    }

    /** Listens; a socket that a killed agent left behind is taken over. */
    ServerSocketChannel open() throws IOException {
        if (socket == null) {
            ServerSocketChannel server = ServerSocketChannel.open();
            server.setOption(StandardSocketOptions.SO_REUSEADDR, true);
            return bound(server, new InetSocketAddress(InetAddress.getLoopbackAddress(), port));
        }
        if (!Files.isDirectory(socket.getParent())) {
            Files.createDirectories(socket.getParent(), OWNERS_FOLDER);
        }
        if (Files.exists(socket, LinkOption.NOFOLLOW_LINKS)) {
            takeOver(UnixDomainSocketAddress.of(socket));
        }
        Path hidden = hiddenFolder();
        try {
            return shown(hidden.resolve(socket.getFileName()));
        } finally {
            Files.delete(hidden);
        }
    }

    private ServerSocketChannel bound(ServerSocketChannel server, SocketAddress address) throws IOException {
        try {
            return server.bind(address);
        } catch (IOException e) {
            server.close();
            throw failed(e);
        }
    }

    private IOException failed(IOException cause) {
        return new IOException("engines cannot connect at %s: %s".formatted(this, cause.getMessage()), cause);
    }

    /** A folder beside the socket, which its owner only can enter: what is made in it is unseen until it is moved out. */
    private Path hiddenFolder() throws IOException {
        Random random = new SecureRandom();
        while (true) {
            try {
                return Files.createDirectory(
                        socket.resolveSibling("." + Integer.toString(random.nextInt(HIDDEN_NAMES), HIDDEN_RADIX)),
                        OWNERS_FOLDER);
            } catch (FileAlreadyExistsException e) {
                LOG.debug("another name is tried for a folder beside {}", socket, e);
            } catch (IOException e) {
                throw failed(e);
            }
        }
    }

    /** Whoever finds the socket finds it with its mode: the system binds it with that of the process, which may be open to all. */
    private ServerSocketChannel shown(Path unseen) throws IOException {
        ServerSocketChannel server =
                bound(ServerSocketChannel.open(StandardProtocolFamily.UNIX), UnixDomainSocketAddress.of(unseen));
        try {
            Files.setPosixFilePermissions(unseen, OWNERS_FILE);
            Files.createLink(socket, unseen); // which takes nobody's place, as a move would
            return server;
        } catch (FileAlreadyExistsException e) {
            server.close();
            throw another();
        } catch (IOException e) {
            server.close();
            throw failed(e);
        } finally {
            Files.delete(unseen);
        }
    }

    private IOException another() {
        return new IOException(
                "another agent listens at %s; stop it, or give this one its own --listen, --port, --name and folders"
                        .formatted(socket));
    }

    /** Nothing but a socket on which nobody listens any more is deleted. */
    private void takeOver(UnixDomainSocketAddress address) throws IOException {
        if (!attributes().isOther()) {
            throw new IOException(
                    "engines cannot connect at %s: it is not a socket; move it away, or give this agent another --listen"
                            .formatted(socket));
        }
        try (SocketChannel caller = SocketChannel.open(StandardProtocolFamily.UNIX)) {
            caller.configureBlocking(false); // who accepts nobody is not waited for
            caller.connect(address);
        } catch (ConnectException refused) {
            Files.delete(socket);
            return;
        } catch (IOException e) {
            throw new IOException(
                    "engines cannot connect at %s: whether another agent listens there cannot be found out: %s; stop what listens there, or remove the socket, or give this agent another --listen"
                            .formatted(socket, e.getMessage()),
                    e);
        }
        throw another();
    }

    private BasicFileAttributes attributes() throws IOException {
        return Files.readAttributes(socket, BasicFileAttributes.class, LinkOption.NOFOLLOW_LINKS);
    }

    /** What tells the socket that is there now from any other of its name; empty: there is none. A port has one, too. */
    Optional<Object> identity() {
        if (socket == null) {
            return Optional.of(this);
        }
        try {
            return Optional.of(attributes().fileKey());
        } catch (IOException e) {
            return Optional.empty();
        }
    }

    /** Nobody finds the socket any more. Another agent's is left alone. */
    void forget(Optional<Object> identity) throws IOException {
        if (socket != null && identity.isPresent() && identity.equals(identity())) {
            Files.deleteIfExists(socket);
        }
    }

    @Override
    public String toString() {
        return socket == null ? "tcp://127.0.0.1:" + port : socket.toString();
    }
}
