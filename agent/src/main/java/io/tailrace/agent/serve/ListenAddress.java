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
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.attribute.BasicFileAttributes;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Optional;

/**
 * Where engines connect: a Unix socket, which its owner only may use, or a port of the loopback address.
 *
 * @param socket the Unix socket; null: a port
 * @param port of the loopback address, 0: any free one
 */
public record ListenAddress(Path socket, int port) {
    private static final String TCP = "tcp";
    private static final int PORT_MAX = 65_535;

    /**
     * Reads a path, or {@code tcp://127.0.0.1:PORT}.
     *
     * @throws IllegalArgumentException if it is neither, or not of this host alone
     */
    public static ListenAddress parse(String text) {
        if (!text.startsWith(TCP + ":")) {
            return new ListenAddress(Path.of(text).toAbsolutePath(), 0);
        }
        URI uri = URI.create(text);
        boolean local = "127.0.0.1".equals(uri.getHost()) || "localhost".equals(uri.getHost());
        if (!local || uri.getPort() < 0 || uri.getPort() > PORT_MAX) {
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
        UnixDomainSocketAddress address = UnixDomainSocketAddress.of(socket);
        Files.createDirectories(socket.getParent());
        if (Files.exists(socket, LinkOption.NOFOLLOW_LINKS)) {
            takeOver(address);
        }
        ServerSocketChannel server = bound(ServerSocketChannel.open(StandardProtocolFamily.UNIX), address);
        Files.setPosixFilePermissions(socket, PosixFilePermissions.fromString("rw-------"));
        return server;
    }

    private static ServerSocketChannel bound(ServerSocketChannel server, SocketAddress address) throws IOException {
        try {
            return server.bind(address);
        } catch (IOException e) {
            server.close();
            throw new IOException("engines cannot connect at %s: %s".formatted(address, e.getMessage()), e);
        }
    }

    /** Nothing but a socket on which nobody listens any more is deleted. */
    private void takeOver(UnixDomainSocketAddress address) throws IOException {
        if (!attributes().isOther()) {
            throw new IOException(
                    "engines cannot connect at %s: it is not a socket; move it away, or give this agent another --listen"
                            .formatted(socket));
        }
        try {
            SocketChannel.open(address).close();
        } catch (ConnectException refused) {
            Files.delete(socket);
            return;
        } catch (IOException e) {
            throw new IOException(
                    "engines cannot connect at %s: whether another agent listens there cannot be found out: %s; remove it, or give this agent another --listen"
                            .formatted(socket, e.getMessage()),
                    e);
        }
        throw new IOException(
                "another agent listens at %s; stop it, or give this one another --listen".formatted(socket));
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
