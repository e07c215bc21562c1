package io.tailrace.lab.chaos;

import io.tailrace.local.LocalFlink;
import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;

/** The newest checkpoint loses what it is known by, and the JobManager dies: whoever starts it again has to take an older one. */
final class CheckpointFault implements Fault {
    private static final int BYTES_LEFT = 100;

    private final Installation installation;
    private final ProcessFault jobManager;

    CheckpointFault(Installation installation) {
        this.installation = installation;
        this.jobManager = new ProcessFault(installation, Installation.JOBMANAGER, true);
    }

    @Override
    public String target() {
        return "newest checkpoint, and the JobManager";
    }

    @Override
    public Struck struck() {
        return Struck.JOB;
    }

    @Override
    public void begin() throws IOException, InterruptedException {
        jobManager.begin();
        Path newest = LocalFlink.KeptState.newest(installation.folders().state(), skipped -> {})
                .orElseThrow(() -> new NoSuchFileException("there is no checkpoint to break"));
        Path metadata = newest.resolve("_metadata");
        Path whole = Files.copy(metadata, installation.folders().temporary().resolve("metadata-" + System.nanoTime()));
        try (FileChannel cut = FileChannel.open(metadata, StandardOpenOption.WRITE)) {
            cut.truncate(Math.min(BYTES_LEFT, Files.size(whole) / 2));
        }
    }

    @Override
    public void heal() throws IOException, InterruptedException {
        jobManager.heal();
    }
}
