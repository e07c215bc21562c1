package io.tailrace.lab.chaos;

import java.io.IOException;
import java.nio.file.Path;
import java.util.Optional;

/** A disk without room. */
final class DiskFault implements Fault {
    private final Disks disks;
    private final Path folder;

    DiskFault(Disks disks, Path folder) {
        this.disks = disks;
        this.folder = folder;
    }

    @Override
    public String target() {
        return "disk of " + folder.getFileName();
    }

    @Override
    public Struck struck() {
        return Struck.process(folder.getFileName().toString());
    }

    @Override
    public Optional<String> impossible() {
        return disks.impossible();
    }

    @Override
    public void begin() throws IOException, InterruptedException {
        disks.fill(folder);
    }

    @Override
    public void heal() throws IOException, InterruptedException {
        disks.empty(folder);
    }
}
