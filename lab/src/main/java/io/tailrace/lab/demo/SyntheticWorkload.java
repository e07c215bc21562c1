package io.tailrace.lab.demo;

import io.tailrace.client.follow.ServedModel;
import io.tailrace.lab.recorded.RecordedRequest;
import io.tailrace.lab.traffic.SyntheticTraffic;
import java.util.Iterator;

/** The project's own synthetic traffic. */
final class SyntheticWorkload implements DemoWorkload {
    private final long seed;
    private final int requests;

    SyntheticWorkload(long seed, int requests) {
        this.seed = seed;
        this.requests = requests;
    }

    @Override
    public String describe() {
        return "synthetic traffic, seed %d, shifting after half of it".formatted(seed);
    }

    @Override
    public ServedModel model() {
        return new ServedModel(SyntheticTraffic.MODEL, "1", SyntheticTraffic.VOCABULARY_SIZE, "synthetic-words");
    }

    @Override
    public long requests() {
        return requests;
    }

    @Override
    public long badLines() {
        return 0;
    }

    @Override
    public Iterator<RecordedRequest> iterator() {
        return new SyntheticTraffic(seed, requests);
    }

    @Override
    public void close() {
        // Nothing is open.
    }
}
