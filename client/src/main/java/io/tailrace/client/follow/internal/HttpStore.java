package io.tailrace.client.follow.internal;

import java.io.IOException;
import java.io.InterruptedIOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.net.URLEncoder;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandler;
import java.net.http.HttpResponse.BodySubscribers;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Arrays;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.Collectors;

/**
 * A store behind a web server that asks for no credentials. The whole download, body
 * included, is bounded in time and in bytes, and so is a server's silence: other files wait meanwhile.
 */
final class HttpStore implements SegmentStore {
    private static final Duration CONNECT_TIME_MAX = Duration.ofSeconds(5);
    private static final int OK = 200;

    private final URI root;
    private final Duration downloadTimeMax;
    private final Duration silenceMax;
    private final HttpClient client;

    /** @param silenceMax a server that sends nothing for so long is given up */
    HttpStore(URI root, Duration downloadTimeMax, Duration silenceMax) {
        this.root = URI.create(root.toString().endsWith("/") ? root.toString() : root + "/");
        this.downloadTimeMax = downloadTimeMax;
        this.silenceMax = silenceMax;
        this.client = HttpClient.newBuilder()
                .connectTimeout(CONNECT_TIME_MAX)
                .followRedirects(HttpClient.Redirect.NORMAL)
                .build();
    }

    @Override
    public void download(String path, long sizeBytes, Path target) throws IOException {
        URI uri = root.resolve(escape(SegmentStore.checkRelative(path)));
        try (DownloadedFile out = DownloadedFile.open(uri.toString(), sizeBytes, target)) {
            AtomicLong heardAt = new AtomicLong(System.nanoTime());
            CompletableFuture<HttpResponse<Void>> pending =
                    client.sendAsync(HttpRequest.newBuilder(uri).GET().build(), into(out, heardAt));
            int status = await(pending, uri, heardAt).statusCode();
            if (status != OK) {
                throw new IOException(uri + " answered " + status + ", expected " + OK);
            }
            out.finish();
        }
    }

    /** Any answer will do: what a server says of its root is its own affair. */
    @Override
    public void look() throws IOException {
        HttpRequest asked = HttpRequest.newBuilder(root)
                .method("HEAD", HttpRequest.BodyPublishers.noBody())
                .build();
        await(
                client.sendAsync(asked, response -> BodySubscribers.discarding()),
                root,
                new AtomicLong(System.nanoTime()));
    }

    /** A stored path is a name, character for character: the percent signs of an encoded lane belong to it, not to the URI. */
    private static String escape(String path) {
        return Arrays.stream(path.split("/", -1))
                .map(part -> URLEncoder.encode(part, StandardCharsets.UTF_8).replace("+", "%20"))
                .collect(Collectors.joining("/"));
    }

    private HttpResponse<Void> await(CompletableFuture<HttpResponse<Void>> pending, URI uri, AtomicLong heardAt)
            throws IOException {
        long begunAt = heardAt.get();
        try {
            while (true) {
                long left = downloadTimeMax.toNanos() - (System.nanoTime() - begunAt);
                long silent = silenceMax.toNanos() - (System.nanoTime() - heardAt.get());
                if (left <= 0 || silent <= 0) {
                    pending.cancel(true);
                    throw new IOException(
                            left <= 0
                                    ? uri + " was not downloaded within " + downloadTimeMax
                                    : uri + " sent nothing for " + silenceMax);
                }
                try {
                    return pending.get(Math.min(left, silent), TimeUnit.NANOSECONDS);
                } catch (TimeoutException e) {
                    // Looked at again: something may have come meanwhile.
                }
            }
        } catch (ExecutionException e) {
            Throwable cause = e.getCause();
            throw new IOException(
                    uri + " cannot be downloaded: " + Objects.requireNonNullElse(cause.getMessage(), cause.toString()),
                    cause);
        } catch (InterruptedException e) {
            pending.cancel(true);
            Thread.currentThread().interrupt();
            throw (IOException) new InterruptedIOException("download of " + uri + " interrupted").initCause(e);
        }
    }

    private static BodyHandler<Void> into(DownloadedFile out, AtomicLong heardAt) {
        return response -> response.statusCode() != OK
                ? BodySubscribers.discarding()
                : BodySubscribers.ofByteArrayConsumer(bytes -> bytes.ifPresent(b -> {
                    heardAt.set(System.nanoTime());
                    append(out, b);
                }));
    }

    private static void append(DownloadedFile out, byte[] bytes) {
        try {
            out.append(ByteBuffer.wrap(bytes));
        } catch (IOException e) {
            throw new UncheckedIOException(e.getMessage(), e);
        }
    }

    @Override
    public void close() {
        // The client's threads end with its last reference.
    }

    @Override
    public String toString() {
        return root.toString();
    }
}
