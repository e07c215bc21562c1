package io.tailrace.tap.proxy;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.Optional;

/** Exchanges that nobody forwarded. */
public final class TestExchange {
    private static final KeptBody.Room ROOM = new KeptBody.Room(1 << 30);

    private TestExchange() {}

    /** A completion of scope {@code chat}, answered in JSON. */
    public static Exchange completion(String asked, String said) {
        return new Exchange(
                false,
                Optional.of("chat"),
                null,
                body(asked),
                200,
                true,
                "application/json",
                null,
                body(said),
                1_000,
                2_000);
    }

    private static KeptBody body(String text) {
        KeptBody body = new KeptBody(ROOM, 64 << 20);
        body.add(ByteBuffer.wrap(text.getBytes(StandardCharsets.UTF_8)));
        return body;
    }
}
