package io.tailrace.lab.chaos;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;

/** A file of the store, or of a worker's cache, that is not what it was. What is damaged or deleted stays so: the installation has to deal with it. */
final class FileFault implements Fault {
    private final RunFolders folders;
    private final StoredFiles files;
    private final PlannedFault planned;
    private Struck struck = Struck.JOB;
    private Path file;
    private Path aside;

    FileFault(RunFolders folders, StoredFiles files, PlannedFault planned) {
        this.folders = folders;
        this.files = files;
        this.planned = planned;
    }

    @Override
    public String target() {
        return file == null
                ? "a file"
                : file.getParent().getFileName() + "/"
                        + file.getFileName().toString().substring(0, 8);
    }

    @Override
    public Struck struck() {
        return struck;
    }

    @Override
    public void begin() throws IOException {
        boolean inACache = planned.kind() == FaultKind.DAMAGED_CACHE;
        StoredFiles.Found found = inACache ? files.cached(planned) : files.segment(planned);
        file = found.path();
        struck = found.struck();
        switch (planned.kind()) {
            case DAMAGED_CACHE, DAMAGED_SEGMENT -> StoredFiles.damage(file);
            case DELETED_SEGMENT -> Files.delete(file);
            case LATE_SEGMENT -> putAside();
            case STALE_SEGMENT -> {
                Path older = files.otherThan(file, planned);
                putAside();
                Files.copy(older, file);
            }
            default -> throw new IllegalStateException(planned.kind() + " breaks no file");
        }
    }

    private void putAside() throws IOException {
        aside = folders.temporary().resolve("aside-" + file.getFileName());
        Files.copy(file, aside);
        Files.delete(file);
    }

    @Override
    public void heal() throws IOException {
        if (aside != null) {
            Files.move(aside, file, StandardCopyOption.REPLACE_EXISTING);
        }
    }
}
