package io.tailrace.agent.command;

import io.tailrace.client.KafkaAccess;
import java.io.PrintWriter;

/** Says that no broker answers, for a process that goes on without and whose threads would say so only when they have given up asking. */
public final class BrokersAway {
    private BrokersAway() {}

    /** Looks once, on a thread of its own: whoever serves waits for no broker. */
    public static void tell(KafkaAccess kafka, PrintWriter err) {
        Thread look = new Thread(
                () -> kafka.unreachable().ifPresent(why -> {
                    err.println("tailrace: %s; until then it goes on without, and tries again".formatted(why));
                    err.flush();
                }),
                "brokers-look");
        look.setDaemon(true);
        look.start();
    }
}
