package io.tailrace.lab.bench.draft;

import io.tailrace.suffix.LaneIndex;
import io.tailrace.suffix.segment.Compaction;
import io.tailrace.suffix.segment.FreshIndex;
import io.tailrace.suffix.segment.GenerationEntry;
import io.tailrace.suffix.segment.Segment;
import io.tailrace.suffix.segment.SegmentIdentity;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/** A lane in real segment files, mapped, as a worker holds it. Owns the maps. */
final class MappedLane implements AutoCloseable {
    private final List<Segment> segments = new ArrayList<>();
    private final FreshIndex fresh;

    private MappedLane(FreshIndex fresh) {
        this.fresh = fresh;
    }

    /**
     * Writes and maps.
     *
     * @param freshRequests how many generations after the layout's last are the worker's fresh ones
     */
    static MappedLane build(
            List<int[]> responses, LaneGrowth layout, int freshRequests, SegmentIdentity identity, Path folder)
            throws IOException {
        FreshIndex fresh = freshRequests == 0 ? null : new FreshIndex(Integer.MAX_VALUE);
        MappedLane lane = new MappedLane(fresh);
        int from = 0;
        for (int end : layout.ends()) {
            Path segment = Compaction.flush(inputs(responses, from, end), identity, folder)
                    .files()
                    .segment();
            lane.segments.add(Segment.reopen(segment, identity));
            from = end;
        }
        for (int i = from; i < Math.min(from + freshRequests, responses.size()); i++) {
            fresh.add(responses.get(i), i);
        }
        return lane;
    }

    LaneIndex index() {
        int last = segments.size() - 1;
        return new LaneIndex(segments.subList(0, last), segments.get(last), fresh);
    }

    private static List<Compaction.Input> inputs(List<int[]> responses, int from, int end) {
        List<Compaction.Input> inputs = new ArrayList<>();
        for (int i = from; i < end; i++) {
            inputs.add(new Compaction.Input(new GenerationEntry(i, i, "bench", i), responses.get(i)));
        }
        return inputs;
    }

    @Override
    public void close() {
        segments.forEach(Segment::close);
    }
}
