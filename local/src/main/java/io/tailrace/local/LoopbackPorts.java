package io.tailrace.local;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;

/** Ports of the loopback address. */
public final class LoopbackPorts {
    private LoopbackPorts() {}

    /** Different ports that were free a moment ago. Another process may take one before it is used: callers report that. */
    public static int[] free(int count) {
        ServerSocket[] held = new ServerSocket[count];
        int[] ports = new int[count];
        try {
            for (int i = 0; i < count; i++) {
                held[i] = new ServerSocket(0, 1, InetAddress.getLoopbackAddress());
                ports[i] = held[i].getLocalPort();
            }
            return ports;
        } catch (IOException e) {
            throw new UncheckedIOException("no free port on the loopback address", e);
        } finally {
            for (ServerSocket socket : held) {
                close(socket);
            }
        }
    }

    /** Whether a server could listen on the port right now. */
    public static boolean isFree(int port) {
        try (ServerSocket socket = new ServerSocket()) {
            socket.setReuseAddress(true);
            socket.bind(new InetSocketAddress(InetAddress.getLoopbackAddress(), port));
            return true;
        } catch (IOException e) {
            return false;
        }
    }

    private static void close(ServerSocket socket) {
        if (socket == null) {
            return;
        }
        try {
            socket.close();
        } catch (IOException e) {
            throw new UncheckedIOException("a port that was free could not be given back", e);
        }
    }
}
