package io.tailrace.schemas;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;

/**
 * The first 128 bits of SHA-256 of a request id: what shards, recognises repeats and finds documents to delete without
 * keeping the id itself. Two of 10^9 ids collide with a probability of about 10^-21.
 */
public record RequestHash(long high, long low) {
    public static RequestHash of(String requestId) {
        try {
            byte[] digest = MessageDigest.getInstance("SHA-256").digest(requestId.getBytes(StandardCharsets.UTF_8));
            ByteBuffer bytes = ByteBuffer.wrap(digest);
            return new RequestHash(bytes.getLong(), bytes.getLong());
        } catch (NoSuchAlgorithmException e) {
            throw new AssertionError("every Java platform has SHA-256", e);
        }
    }

    /** The shard of a lane's stream this request belongs to, 0 to {@code shards - 1}. */
    public int shard(int shards) {
        return (int) Long.remainderUnsigned(low, shards);
    }
}
