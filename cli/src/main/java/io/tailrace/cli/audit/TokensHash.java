package io.tailrace.cli.audit;

import java.nio.ByteBuffer;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;

/** The first 128 bits of the SHA-256 of an answer's tokens: answers are compared by it, and not kept. */
record TokensHash(long high, long low) {
    static TokensHash of(int[] tokens) {
        ByteBuffer bytes = ByteBuffer.allocate(tokens.length * Integer.BYTES);
        bytes.asIntBuffer().put(tokens);
        try {
            ByteBuffer digest =
                    ByteBuffer.wrap(MessageDigest.getInstance("SHA-256").digest(bytes.array()));
            return new TokensHash(digest.getLong(), digest.getLong());
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("every Java has SHA-256", e);
        }
    }
}
