package io.tailrace.operators.outcomes;

/**
 * Verification steps of one shape on one class of workers; or, fitted, what one such step takes.
 *
 * @param batch requests in the verified batch
 * @param verifiedTokens of the whole step: one for each request and their draft tokens
 * @param steps how many
 * @param micros their time, summed; fitted: of one
 */
public record StepCost(String workerClass, int batch, int verifiedTokens, int steps, double micros) {}
