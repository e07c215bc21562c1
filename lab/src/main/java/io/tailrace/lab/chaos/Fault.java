package io.tailrace.lab.chaos;

import java.io.IOException;
import java.util.Optional;

/** Something that is broken, and made whole again as whoever runs an installation would. */
interface Fault {
    /** What is broken, in a few words. */
    String target();

    /** Why it cannot be broken here; empty: it can. */
    default Optional<String> impossible() {
        return Optional.empty();
    }

    /** Which parts have to work again after the heal; it is known from {@link #begin} on. */
    Struck struck();

    void begin() throws IOException, InterruptedException;

    /** From its return on, nothing of the fault is left, and the installation has to recover. */
    void heal() throws IOException, InterruptedException;
}
