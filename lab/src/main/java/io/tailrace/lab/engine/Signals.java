package io.tailrace.lab.engine;

import java.io.IOException;

/** Signals that Java has no words for. */
final class Signals {
    private Signals() {}

    /** Sends a signal, by its name without SIG, to a process that this one has started. */
    static void send(String signal, Process process) throws IOException, InterruptedException {
        Process kill = new ProcessBuilder("kill", "-" + signal, Long.toString(process.pid()))
                .inheritIO()
                .start();
        if (kill.waitFor() != 0) {
            throw new IOException("process %d took no signal %s; has it ended?".formatted(process.pid(), signal));
        }
    }
}
