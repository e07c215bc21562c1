package io.tailrace.cli.terminal;

import io.tailrace.client.KafkaAccess;
import java.util.Map;

/** Whether Kafka answers, asked before a command begins: its clients would try for a minute without a word. */
public final class BrokerCheck {
    private static final String BOOTSTRAP = "bootstrap.servers";

    private BrokerCheck() {}

    /** Throws {@link BadInputException} with the addresses if no broker answers to these client settings within seconds. */
    public static void require(Map<String, String> connection) {
        new KafkaAccess(connection.get(BOOTSTRAP), "", connection).unreachable().ifPresent(why -> {
            throw new BadInputException(why);
        });
    }
}
