package io.tailrace.cli.console;

import io.tailrace.cli.fleet.FollowedFleet;
import io.tailrace.cli.snapshots.LoopTopics;
import io.tailrace.client.KafkaAccess;
import io.tailrace.local.LocalLoop;
import io.tailrace.local.LoopbackPorts;
import io.tailrace.schemas.signing.TrustedKeys;
import io.tailrace.terminal.Bounds;
import io.tailrace.terminal.Require;
import java.io.IOException;
import java.net.URI;
import java.util.Optional;
import picocli.CommandLine.Option;

/** The console of a loop in this process. It reads only; close it before the loop. */
public final class LocalConsole implements AutoCloseable {
    private static final String HOST = "127.0.0.1";
    private static final int PORT_DEFAULT = 9470;

    private final FollowedFleet fleet;
    private final Console console;

    private LocalConsole(FollowedFleet fleet, Console console) {
        this.fleet = fleet;
        this.console = console;
    }

    /** Where it answers browsers. */
    public static final class Options {
        private static final String NAME = "--console-port";

        @Bounds(min = 0, max = 65_535)
        @Option(
                names = NAME,
                paramLabel = "P",
                description = "Port of the console; 0: any free one. Default: 9470, or any free one if it is in use.")
        private Integer port;

        /** Refuses a port that was asked for and cannot be had. */
        public void check() {
            if (port != null) {
                Require.freePort(NAME, HOST, port);
            }
        }

        /** Starts to show what the loop holds, all that its job signed included. */
        public LocalConsole start(LocalLoop loop) throws IOException {
            KafkaAccess brokers = KafkaAccess.of(loop.bootstrap());
            TrustedKeys keys = loop.trustedKeys();
            FollowedFleet fleet = FollowedFleet.start(() -> new LoopTopics(brokers, keys));
            try {
                JobRest job = new JobRest(loop.dashboard());
                return new LocalConsole(fleet, Console.start(fleet, Optional.empty(), Optional.of(job), HOST, port()));
            } catch (IOException | RuntimeException e) {
                fleet.close();
                throw e;
            }
        }

        private int port() {
            if (port != null) {
                return port;
            }
            return LoopbackPorts.isFree(PORT_DEFAULT) ? PORT_DEFAULT : 0;
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
