package io.tailrace.tap.proxy;

import static org.assertj.core.api.Assertions.assertThat;

import java.net.InetSocketAddress;
import java.net.URI;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import org.eclipse.jetty.client.HttpClient;
import org.eclipse.jetty.util.Promise;
import org.junit.jupiter.api.Test;

class NameLookupTest {
    @Test
    void aLookupThatHangsHoldsUpNoneWhoAsks() throws Exception {
        CountDownLatch answers = new CountDownLatch(1);
        try (NameLookup names = new NameLookup(
                (host, port, context, found) -> {
                    try {
                        answers.await();
                        found.succeeded(List.of(InetSocketAddress.createUnresolved(host, port)));
                    } catch (InterruptedException e) {
                        found.failed(e);
                    }
                },
                2)) {
            CompletableFuture<List<InetSocketAddress>> first = resolve(names, 1);
            CompletableFuture<List<InetSocketAddress>> tooMany = first;
            for (int i = 0; i < 4; i++) {
                tooMany = resolve(names, 2);
            }
            assertThat(tooMany).as("two wait at most").isCompletedExceptionally();
            assertThat(first).isNotDone();
            answers.countDown();
            assertThat(first.get()).extracting(InetSocketAddress::getPort).containsExactly(1);
        }
    }

    @Test
    void aProxyLooksItsServersNameUpSo() {
        ProxyOptions options = ProxyOptions.to(URI.create("http://localhost:1"), ScopeRule.fixed("chat"));
        ForwardingHandler handler = new ForwardingHandler(options, new KeptBody.Room(1), null);
        HttpClient client = handler.newHttpClient();
        handler.configureHttpClient(client);
        assertThat(client.getSocketAddressResolver()).isInstanceOf(NameLookup.class);
    }

    @Test
    void findsWhatTheSystemFinds() throws Exception {
        try (NameLookup names = new NameLookup(1)) {
            assertThat(resolve(names, 5).get().get(0).getAddress().isLoopbackAddress())
                    .isTrue();
        }
    }

    private static CompletableFuture<List<InetSocketAddress>> resolve(NameLookup names, int port) {
        CompletableFuture<List<InetSocketAddress>> found = new CompletableFuture<>();
        names.resolve("localhost", port, Map.of(), Promise.from(found::complete, found::completeExceptionally));
        return found;
    }
}
