package io.tailrace.lab.traffic;

/**
 * One request of a session and its answer.
 *
 * @param prompt the full prompt: earlier turns too
 * @param response ends with the end-of-turn id
 */
record Turn(int[] prompt, int[] response) {}
