package io.tailrace.lab.chaos;

import io.tailrace.client.KafkaAccess;
import io.tailrace.client.follow.FollowOptions;
import io.tailrace.lab.load.LoadWorker;
import io.tailrace.lab.recorded.RecordedRequest;
import io.tailrace.terminal.Interruption;
import java.io.IOException;
import java.net.URI;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Iterator;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;

/** A worker of a run, as a process: serves its truth at a pace, and writes down each answer that its caller has whole. */
final class ChaosWorker {
    /** The words that it says when it serves. */
    static final String READY = "the worker serves";

    private static final double REQUESTS_PER_SECOND = 3;
    private static final long LOOK_MILLIS = 20;

    private final RunFolders folders;
    private final String name;
    private final Iterator<RecordedRequest> requests;

    private ChaosWorker(RunFolders folders, String name, long seed) throws IOException {
        this.folders = folders;
        this.name = name;
        this.requests = Truth.of(seed, name);
        for (long told = told(); told > 0; told--) {
            requests.next();
        }
    }

    static List<String> arguments(RunFolders folders, String name, long seed, String bootstrap, URI store) {
        return List.of(folders.root().toString(), name, Long.toString(seed), bootstrap, store.toString());
    }

    public static void main(String[] arguments) throws Exception {
        Locale.setDefault(Locale.ROOT);
        RunFolders folders = new RunFolders(Path.of(arguments[0]));
        String name = arguments[1];
        ChaosWorker chaos = new ChaosWorker(folders, name, Long.parseLong(arguments[2]));
        FollowOptions follow =
                FollowOptions.of(URI.create(arguments[4]), folders.worker(name).resolve("cache"));
        LoadWorker.Options options = LoadWorker.Options.of(name, Model.SERVED, KafkaAccess.of(arguments[3]), follow)
                .withSpool(folders.worker(name).resolve("spool"));
        try (Interruption interruption = Interruption.install();
                LoadWorker worker = new LoadWorker(options)) {
            worker.start();
            System.out.println(READY);
            chaos.serve(worker, interruption);
        }
    }

    private long told() throws IOException {
        if (!Files.exists(folders.told(name))) {
            return 0;
        }
        try (Stream<String> lines = Files.lines(folders.told(name))) {
            return lines.count();
        }
    }

    /** What was not told to the end before a kill is asked again. */
    private void serve(LoadWorker worker, Interruption interruption) throws IOException, InterruptedException {
        try (FileChannel told =
                FileChannel.open(folders.told(name), StandardOpenOption.CREATE, StandardOpenOption.APPEND)) {
            long nextAt = System.nanoTime();
            while (!interruption.happened() && requests.hasNext()) {
                if (System.nanoTime() < nextAt || Files.exists(folders.quiet())) {
                    TimeUnit.MILLISECONDS.sleep(LOOK_MILLIS);
                    continue;
                }
                String id = worker.serve(requests.next()).requestId();
                told.write(ByteBuffer.wrap((id + "\n").getBytes(StandardCharsets.UTF_8)));
                nextAt = Math.max(nextAt, System.nanoTime() - TimeUnit.SECONDS.toNanos(1))
                        + (long) (TimeUnit.SECONDS.toNanos(1) / REQUESTS_PER_SECOND);
            }
        }
    }
}
