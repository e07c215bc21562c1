/**
 * How a worker follows its lanes, as it is told and as it tells: {@link io.tailrace.client.follow.FollowOptions} say how,
 * {@link io.tailrace.client.follow.ServedModel} whose lanes they are, {@link io.tailrace.client.follow.LaneState} how each of them stands now.
 *
 * <pre>{@code
 * FollowOptions options = FollowOptions.of(URI.create("https://store.example/segments"), Path.of("/var/cache/tailrace"));
 * ServedModel model = new ServedModel("llama", "1", 128_256, tokenizerFingerprint);
 * }</pre>
 *
 * <p>The following itself is in {@code client.follow.internal}.
 */
package io.tailrace.client.follow;
