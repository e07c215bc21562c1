package io.tailrace.terminal;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.UnknownHostException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Locale;

/** What options name must be there: ports, folders. Bounds of numbers are {@code Bounds} at the options. */
public final class Require {
    private Require() {}

    /** A port that can be listened on; 0: any free one. */
    public static void freePort(String option, String host, int port) {
        listen(
                option,
                host,
                port,
                "or %s is no address of this machine (%s); choose another one, or 0 for any free one");
    }

    /** A port that can be listened on, where others have to know it. */
    public static void fixedPort(String option, String host, int port) {
        listen(
                option,
                host,
                port,
                "or %s is no address of this machine (%s); end what listens there, or choose another one");
    }

    private static void listen(String option, String host, int port, String remedy) {
        try (ServerSocket socket = new ServerSocket()) {
            socket.setReuseAddress(true);
            socket.bind(new InetSocketAddress(InetAddress.getByName(host), port));
        } catch (UnknownHostException e) {
            throw new BadInputException("%s: this machine knows no address %s".formatted(option, host), e);
        } catch (IOException e) {
            throw new BadInputException(
                    "%s %d is in use, ".formatted(option, port) + remedy.formatted(host, e.getMessage()), e);
        }
    }

    /** A folder, for recorded requests. */
    public static void recordings(String option, Path folder) {
        if (!Files.isDirectory(folder)) {
            throw new BadInputException(
                    "%s must be a folder with recorded requests, %s is none".formatted(option, folder));
        }
    }

    /** A number without a fraction it does not have. */
    public static String plain(double value) {
        return value == Math.rint(value) && Math.abs(value) < 1e15
                ? Long.toString((long) value)
                : String.format(Locale.ROOT, "%s", value);
    }
}
