/**
 * The engine protocol, version 1, byte by byte: docs/ENGINE_PROTOCOL.md. Frames are read with {@link io.tailrace.agent.protocol.FrameChannel},
 * what they say with {@link io.tailrace.agent.protocol.FrameReader}, and written with {@link io.tailrace.agent.protocol.FrameWriter}.
 *
 * <p>This package knows bytes. What an engine means by them is {@code agent.engine}'s.
 */
package io.tailrace.agent.protocol;
