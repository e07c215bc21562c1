package io.tailrace.bench.replay;

/**
 * One recorded request.
 *
 * @param prompt the full prompt's last tokens
 * @param response what the model really answered, at least two tokens
 */
public record ReplayCase(int[] prompt, int[] response) {}
