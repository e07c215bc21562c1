package io.tailrace.agent.command;

import java.io.PrintWriter;
import java.util.Optional;
import java.util.function.Supplier;

/** Says that brokers or the store do not answer, for a process that goes on without and whose threads would say so only when they have given up. */
public final class Away {
    private Away() {}

    /**
     * Looks once, on a thread of its own: whoever serves waits for nobody.
     *
     * @param look why somebody does not answer; empty: it does
     */
    public static void tell(Supplier<Optional<String>> look, PrintWriter err) {
        Thread thread = new Thread(
                () -> look.get().ifPresent(why -> {
                    err.println("tailrace: %s; until then it goes on without, and tries again".formatted(why));
                    err.flush();
                }),
                "look");
        thread.setDaemon(true);
        thread.start();
    }
}
