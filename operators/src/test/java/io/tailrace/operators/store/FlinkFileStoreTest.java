package io.tailrace.operators.store;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.FileNotFoundException;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

final class FlinkFileStoreTest {
    @TempDir
    Path folder;

    private DurableStore store;
    private Path local;
    private String sha256;

    @BeforeEach
    void open() throws Exception {
        store = new FlinkFileStore(folder.resolve("store").toUri(), new FlinkFileStore.Retries(2, 0));
        local = Files.write(folder.resolve("local"), new byte[] {1, 2, 3});
        sha256 = FileHash.sha256(local);
    }

    @Test
    void whatIsPutCanBeListedFetchedAndDeleted() throws Exception {
        store.put(local, "segments/a/x.segment", sha256);
        store.put(local, "segments/a/x.segment", sha256);
        assertThat(store.list("segments/a")).singleElement().satisfies(file -> {
            assertThat(file.path()).isEqualTo("segments/a/x.segment");
            assertThat(file.sizeBytes()).isEqualTo(3);
            assertThat(file.modifiedAtMillis()).isPositive();
        });
        Path fetched = folder.resolve("fetched");
        store.fetch("segments/a/x.segment", fetched);
        assertThat(fetched).hasBinaryContent(new byte[] {1, 2, 3});
        store.delete("segments/a/x.segment");
        store.delete("segments/a/x.segment");
        assertThat(store.list("segments/a")).isEmpty();
    }

    @Test
    void aFileThatIsPutAgainIsThereAllTheTime() throws Exception {
        store.put(local, "segments/a/x.segment", sha256);
        Path stored = folder.resolve("store/segments/a/x.segment");
        CompletableFuture<Void> again = CompletableFuture.runAsync(() -> {
            for (int i = 0; i < 2_000; i++) {
                try {
                    store.put(local, "segments/a/x.segment", sha256);
                } catch (IOException e) {
                    throw new UncheckedIOException(e);
                }
            }
        });
        while (!again.isDone()) {
            assertThat(stored).hasBinaryContent(new byte[] {1, 2, 3});
        }
        again.get();
    }

    @Test
    void nothingTemporaryStaysBehindAPut() throws Exception {
        store.put(local, "segments/a/x.segment", sha256);
        try (var files = Files.list(folder.resolve("store/segments/a"))) {
            assertThat(files.map(file -> file.getFileName().toString())).containsExactly("x.segment");
        }
    }

    @Test
    void whatReadsBackOtherwiseThanItsWriterSaidIsRefusedAndNotThere() throws Exception {
        String other = "0".repeat(64);
        assertThatThrownBy(() -> store.put(local, "segments/a/x.segment", other))
                .hasMessageContaining("reads back as " + sha256 + ", expected " + other);
        try (var files = Files.list(folder.resolve("store/segments/a"))) {
            assertThat(files).isEmpty();
        }
    }

    @Test
    void whatIsNotThereIsSaidAtOnce() {
        assertThatThrownBy(() -> store.fetch("segments/a/none.segment", folder.resolve("fetched")))
                .isInstanceOf(FileNotFoundException.class);
    }

    @Test
    void aFolderThatIsNotThereHasNoFiles() throws Exception {
        assertThat(store.list("segments/nobody")).isEmpty();
    }

    @Test
    void pathsStayBelowTheRoot() {
        assertThatThrownBy(() -> store.put(local, "../elsewhere", sha256)).hasMessageContaining("below the root");
        assertThatThrownBy(() -> store.delete("/etc/passwd")).hasMessageContaining("below the root");
    }

    @Test
    void theRootIsAUriWithAScheme() {
        assertThatThrownBy(() -> new FlinkFileStore(URI.create("data/store"), FlinkFileStore.Retries.defaults()))
                .hasMessage("the store must be a URI with a scheme, such as file:///data, got 'data/store'");
    }

    @Test
    void anAttemptIsRepeatedABoundedNumberOfTimesAndTheLastReasonIsNamed() {
        AtomicInteger attempts = new AtomicInteger();
        assertThatThrownBy(() -> new FlinkFileStore.Retries(3, 0).run("put x", () -> {
                    attempts.incrementAndGet();
                    throw new IOException("no route");
                }))
                .hasMessage("cannot put x after 3 attempts: no route");
        assertThat(attempts).hasValue(3);
    }

    @Test
    void anAttemptThatSucceedsLateIsASuccess() throws Exception {
        AtomicInteger attempts = new AtomicInteger();
        int result = new FlinkFileStore.Retries(3, 0).run("fetch x", () -> {
            if (attempts.incrementAndGet() < 3) {
                throw new IOException("not yet");
            }
            return 42;
        });
        assertThat(result).isEqualTo(42);
    }

    @Test
    void aLaneWithALongScopeHasAShortFolderOfItsOwn() {
        String one = SegmentLayout.folder("toy@1/" + "x".repeat(600));
        String two = SegmentLayout.folder("toy@1/" + "x".repeat(601));
        assertThat(one).startsWith("segments/toy@1/xxx").isNotEqualTo(two);
        for (String part : List.of(one.split("/", -1))) {
            assertThat(part).hasSizeLessThanOrEqualTo(200);
        }
        assertThat(SegmentLayout.folder("toy@1/acme")).isEqualTo("segments/toy@1/acme");
        assertThat(SegmentLayout.sha256("segments/toy@1.5/acme/0a1b.segment")).isEqualTo("0a1b");
    }
}
