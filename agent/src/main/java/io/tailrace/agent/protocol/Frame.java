package io.tailrace.agent.protocol;

/**
 * A frame that was read.
 *
 * @param type one of {@link FrameFormat}
 * @param sequence its number
 * @param body valid until the next frame is read
 */
public record Frame(int type, long sequence, FrameReader body) {}
