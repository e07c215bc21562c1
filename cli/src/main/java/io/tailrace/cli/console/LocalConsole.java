package io.tailrace.cli.console;

import io.tailrace.cli.fleet.FollowedFleet;
import io.tailrace.cli.snapshots.LoopTopics;
import io.tailrace.client.KafkaAccess;
import io.tailrace.local.LocalLoop;
import io.tailrace.local.LoopbackPorts;
import io.tailrace.schemas.signing.TrustedKeys;
import java.io.IOException;
import java.net.URI;
import java.util.Optional;

/** The console of a loop in this process. It reads only; close it before the loop. */
public final class LocalConsole implements AutoCloseable {
    private static final String HOST = "127.0.0.1";
    private static final int PORT = 9470;

    private final FollowedFleet fleet;
    private final Console console;

    private LocalConsole(FollowedFleet fleet, Console console) {
        this.fleet = fleet;
        this.console = console;
    }

    /** Starts to show what the loop holds, all that its job signed included: on port 9470, or any free one if that is in use. */
    public static LocalConsole start(LocalLoop loop) throws IOException {
        KafkaAccess brokers = KafkaAccess.of(loop.bootstrap());
        TrustedKeys keys = loop.trustedKeys();
        FollowedFleet fleet = FollowedFleet.start(() -> new LoopTopics(brokers, keys));
        try {
            JobRest job = new JobRest(loop.dashboard());
            int port = LoopbackPorts.isFree(PORT) ? PORT : 0;
            return new LocalConsole(fleet, Console.start(fleet, Optional.empty(), Optional.of(job), HOST, port));
        } catch (IOException | RuntimeException e) {
            fleet.close();
            throw e;
        }
    }

    /** Address of its first page. */
    public URI address() {
        return URI.create("http://%s:%d/".formatted(HOST, console.port()));
    }

    @Override
    public void close() {
        console.close();
        fleet.close();
    }
}
