package io.tailrace.e2e.loop;

import io.tailrace.e2e.deploy.MavenClassPath;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import org.awaitility.Awaitility;

/** The store that Compose runs, in a process of its own: folders below a base folder are its buckets, and it knows one identity. */
final class S3Proxy implements AutoCloseable {
    private static final Duration STARTED_MAX = Duration.ofSeconds(60);

    private final Path folder;
    private final Path buckets;
    private final int port;
    private Process process;

    private S3Proxy(Path folder, Path buckets, int port) {
        this.folder = folder;
        this.buckets = buckets;
        this.port = port;
    }

    /**
     * Starts one; Maven fetches it.
     *
     * @param folder for its configuration and log
     * @param buckets the base folder
     */
    static S3Proxy start(Path folder, Path buckets, String identity, String secret)
            throws IOException, InterruptedException {
        Files.createDirectories(folder);
        S3Proxy proxy = new S3Proxy(folder, buckets, freePort());
        proxy.know(identity, secret);
        return proxy;
    }

    /** Starts anew, where it was, and knows another identity. */
    void know(String identity, String secret) throws IOException, InterruptedException {
        close();
        Path configuration =
                Files.writeString(folder.resolve("s3proxy.conf"), """
                s3proxy.authorization=aws-v2-or-v4
                s3proxy.endpoint=%s
                s3proxy.identity=%s
                s3proxy.credential=%s
                jclouds.provider=filesystem-nio2
                jclouds.filesystem.basedir=%s
                """.formatted(endpoint(), identity, secret, buckets));
        Path log = folder.resolve("s3proxy.log");
        Process started = new ProcessBuilder(
                        Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                        "-Xmx256m",
                        "-cp",
                        MavenClassPath.of("deploy/docker/bases/s3proxy-pom.xml", folder),
                        "org.gaul.s3proxy.Main",
                        "--properties",
                        configuration.toString())
                .redirectErrorStream(true)
                .redirectOutput(ProcessBuilder.Redirect.appendTo(log.toFile()))
                .start();
        process = started;
        try {
            Awaitility.await("S3Proxy, see " + log)
                    .atMost(STARTED_MAX)
                    .failFast("S3Proxy has ended, see " + log, () -> !started.isAlive())
                    .until(() -> listens(port));
        } catch (RuntimeException e) {
            close();
            throw e;
        }
    }

    URI endpoint() {
        return URI.create("http://127.0.0.1:" + port);
    }

    private static int freePort() throws IOException {
        try (ServerSocket socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            return socket.getLocalPort();
        }
    }

    private static boolean listens(int port) {
        try (Socket socket = new Socket(InetAddress.getLoopbackAddress(), port)) {
            return socket.isConnected();
        } catch (IOException e) {
            return false;
        }
    }

    @Override
    public void close() {
        if (process != null) {
            process.destroyForcibly().onExit().join();
        }
    }
}
