package io.tailrace.cli.console;

import java.security.SecureRandom;
import java.util.HexFormat;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.function.LongSupplier;

/**
 * What operators have been shown and may confirm. Each has a token that nobody can guess, that only the operator who was shown it can use,
 * once, for ten minutes. So what is carried out is what was shown, and no other site can confirm anything. Safe for any number of threads.
 */
final class Confirmations {
    /** More are not kept; the oldest go first. */
    static final int MAX = 256;

    static final long MILLIS_MAX = 600_000;
    private static final int TOKEN_BYTES = 32;

    private final Map<String, Shown> shown = new LinkedHashMap<>();
    private final SecureRandom random = new SecureRandom();
    private final LongSupplier clock;

    private record Shown(String operator, Action action, long atMillis) {}

    /** @param clock milliseconds */
    Confirmations(LongSupplier clock) {
        this.clock = clock;
    }

    /** The token that confirms it. */
    synchronized String show(String operator, Action action) {
        byte[] bytes = new byte[TOKEN_BYTES];
        random.nextBytes(bytes);
        String token = HexFormat.of().formatHex(bytes);
        shown.put(token, new Shown(operator, action, clock.getAsLong()));
        if (shown.size() > MAX) {
            shown.remove(shown.keySet().iterator().next());
        }
        return token;
    }

    /** What the token confirms; empty: nothing that this operator was shown lately, or it was confirmed before. */
    synchronized Optional<Action> confirm(String operator, String token) {
        Shown one = shown.get(token == null ? "" : token);
        if (one == null || !one.operator().equals(operator)) {
            return Optional.empty();
        }
        shown.remove(token);
        return clock.getAsLong() - one.atMillis() > MILLIS_MAX ? Optional.empty() : Optional.of(one.action());
    }
}
