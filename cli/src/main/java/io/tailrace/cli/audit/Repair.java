package io.tailrace.cli.audit;

import io.tailrace.operators.store.DurableStore;
import io.tailrace.operators.store.FileHash;
import io.tailrace.operators.store.SegmentLayout;
import io.tailrace.schemas.SegmentReference;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/** Writes files that the store has lost or damaged again, from copies in local folders, such as workers keep. */
final class Repair {
    private final DurableStore store;
    private final List<Path> folders;

    /** @param folders with files named {@code <sha256>.segment} */
    Repair(DurableStore store, List<Path> folders) {
        this.store = store;
        this.folders = folders;
    }

    /**
     * Whether an undamaged copy was found and is in the store now. Nothing is written to a path that is not of this content: whoever may write a manifest can
     * name any.
     */
    boolean mend(String lane, SegmentReference segment) throws IOException {
        if (!segment.getPath().equals(SegmentLayout.segmentPath(lane, segment.getSha256()))) {
            return false;
        }
        for (Path folder : folders) {
            Path copy = folder.resolve(segment.getSha256() + ".segment");
            if (Files.isRegularFile(copy) && FileHash.sha256(copy).equals(segment.getSha256())) {
                store.put(copy, segment.getPath(), segment.getSha256());
                return true;
            }
        }
        return false;
    }
}
