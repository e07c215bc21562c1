package io.tailrace.lab.chaos;

import java.util.List;

/**
 * Which parts a fault has struck, so that they have to work again after its heal. The job always has to: it announces what workers are to serve.
 *
 * @param workers that have to answer, and to serve what was announced since
 * @param lane that has to get a newer version; empty: any
 */
record Struck(List<String> workers, String lane) {
    /** The job, or what only the job needs. */
    static final Struck JOB = new Struck(List.of(), "");
    /** All workers, and the job with them. */
    static final Struck EVERYBODY = new Struck(Truth.WORKERS, "");

    Struck {
        workers = List.copyOf(workers);
    }

    /** A process, or the disk of that name: without the broker nobody gets far. */
    static Struck process(String name) {
        if (Truth.WORKERS.contains(name)) {
            return new Struck(List.of(name), "");
        }
        return name.equals(Installation.BROKER) ? EVERYBODY : JOB;
    }

    /** What the job has written of a lane. */
    static Struck lane(String lane) {
        return new Struck(List.of(), lane);
    }
}
