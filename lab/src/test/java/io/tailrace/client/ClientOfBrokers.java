package io.tailrace.client;

import io.tailrace.client.follow.internal.Brokers;
import java.io.IOException;

/** Clients whose brokers are a test's; in the client's package, since its face does not offer them. */
public final class ClientOfBrokers {
    private ClientOfBrokers() {}

    public static TailraceClient open(ClientOptions options, Brokers brokers) throws IOException {
        return TailraceClient.open(options, brokers);
    }
}
