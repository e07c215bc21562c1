package io.tailrace.lab.demo;

import io.tailrace.client.follow.ServedModel;
import io.tailrace.lab.recorded.RecordedRequest;
import io.tailrace.lab.traffic.SyntheticTraffic;
import java.util.Iterator;

/** What the demo serves: checked before anything is started. */
interface DemoWorkload extends AutoCloseable {
    /** In a few words, for people. */
    String describe();

    /** The model that the answers come from. */
    ServedModel model();

    /** How many requests there are to serve. */
    long requests();

    /** Lines of the input that cannot be served. */
    long badLines();

    /** The requests in the order of their arrival; to be asked for once. */
    Iterator<RecordedRequest> iterator();

    @Override
    void close();

    /** The project's own synthetic traffic. */
    static final class Synthetic implements DemoWorkload {
        private final long seed;
        private final int requests;

        Synthetic(long seed, int requests) {
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
}
