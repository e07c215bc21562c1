package io.tailrace.cli.fleet;

import io.tailrace.cli.snapshots.GivenKeys;
import io.tailrace.cli.snapshots.LoopTopics;
import io.tailrace.schemas.Topic;
import io.tailrace.schemas.signing.TrustedKeys;
import io.tailrace.terminal.BrokerOptions;
import io.tailrace.terminal.KeyOptions;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Supplier;
import picocli.CommandLine.Mixin;

/** Which installation is looked at. */
public final class FleetOptions {
    @Mixin
    private BrokerOptions kafka = new BrokerOptions();

    @Mixin
    private KeyOptions.Trusted trusted = new KeyOptions.Trusted();

    /** Opens the topics each time anew; the keys are read once. */
    public Supplier<LoopTopics> topics() {
        TrustedKeys keys = GivenKeys.trusted(trusted);
        return () -> new LoopTopics(kafka, keys);
    }

    /** Who may have written what is read. */
    public KeyOptions.Trusted trusted() {
        return trusted;
    }

    /** Reads some of the topics to their ends. */
    FleetView read(LoopTopics topics, Topic... wanted) {
        Map<Topic, Long> since = new HashMap<>(FollowedFleet.since(System.currentTimeMillis()));
        since.keySet().retainAll(List.of(wanted));
        FleetView fleet = new FleetView();
        topics.begin(since);
        topics.readToEnds(record -> fleet.take(topics.topic(record), record), Long.MAX_VALUE);
        return fleet;
    }
}
