package io.tailrace.tap;

import io.tailrace.tap.proxy.ProxyOptions;
import io.tailrace.tap.publish.AnswerTokenizer;
import io.tailrace.tap.publish.PublishOptions;
import java.util.Objects;
import java.util.Optional;

/**
 * What a tap is.
 *
 * @param proxy where it listens, and what it stands before
 * @param publish as what answers are published
 * @param tokenizer for answers without token ids; empty: those are not published. It stays the caller's
 * @param operatorPort port of metrics and health, at the proxy's address; 0: any free one
 * @param waitingMax answers that may wait to be published; more are dropped
 */
public record TapOptions(
        ProxyOptions proxy,
        PublishOptions publish,
        Optional<AnswerTokenizer> tokenizer,
        int operatorPort,
        int waitingMax) {
    public static final int WAITING_MAX = 1_024;

    public TapOptions {
        Objects.requireNonNull(proxy, "proxy");
        Objects.requireNonNull(publish, "publish");
        Objects.requireNonNull(tokenizer, "tokenizer");
        if (operatorPort < 0 || operatorPort > 65_535 || waitingMax < 1) {
            throw new IllegalArgumentException(
                    "operatorPort must be 0 to 65535 and waitingMax at least 1; got %d and %d"
                            .formatted(operatorPort, waitingMax));
        }
        if (publish.scope().isPresent() == proxy.scopeHeader().isPresent()) {
            throw new IllegalArgumentException(
                    "the scope of requests is either fixed or named by a header: give one of the two");
        }
    }
}
