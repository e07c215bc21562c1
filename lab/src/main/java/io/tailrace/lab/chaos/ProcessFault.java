package io.tailrace.lab.chaos;

import io.tailrace.local.cluster.ChildProcess;
import java.io.IOException;

/** A process that is gone, or stands still. */
final class ProcessFault implements Fault {
    private final Installation installation;
    private final String name;
    private final boolean killed;

    /** @param killed or else paused */
    ProcessFault(Installation installation, String name, boolean killed) {
        this.installation = installation;
        this.name = name;
        this.killed = killed;
    }

    @Override
    public String target() {
        return name;
    }

    @Override
    public Struck struck() {
        return Struck.process(name);
    }

    @Override
    public void begin() throws IOException, InterruptedException {
        ChildProcess process = installation.hold(name);
        if (killed) {
            process.kill();
        } else {
            process.pause();
        }
    }

    @Override
    public void heal() throws IOException, InterruptedException {
        if (killed) {
            installation.process(name).start();
        } else {
            installation.process(name).resume();
        }
        installation.release(name);
    }
}
