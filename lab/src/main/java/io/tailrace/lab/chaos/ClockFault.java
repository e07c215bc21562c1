package io.tailrace.lab.chaos;

import java.io.IOException;
import java.util.List;
import java.util.Optional;

/** Clocks that are off, as after a wrong answer of a time server. */
final class ClockFault implements Fault {
    private final Clocks clocks;
    private final List<String> processes;
    private final long secondsAhead;

    /** @param processes of one machine */
    ClockFault(Clocks clocks, List<String> processes, long secondsAhead) {
        this.clocks = clocks;
        this.processes = List.copyOf(processes);
        this.secondsAhead = secondsAhead;
    }

    @Override
    public String target() {
        return "%s by %+d s".formatted(processes.size() == 1 ? processes.get(0) : "job", secondsAhead);
    }

    @Override
    public Struck struck() {
        return Struck.process(processes.get(0));
    }

    @Override
    public Optional<String> impossible() {
        return clocks.impossible();
    }

    @Override
    public void begin() throws IOException {
        set(secondsAhead);
    }

    @Override
    public void heal() throws IOException {
        set(0);
    }

    private void set(long seconds) throws IOException {
        for (String process : processes) {
            clocks.set(process, seconds);
        }
    }
}
