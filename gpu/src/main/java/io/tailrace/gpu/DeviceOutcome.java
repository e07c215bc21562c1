package io.tailrace.gpu;

/**
 * What a step made of one request.
 *
 * @param draft as it was verified
 * @param verdict what was accepted of it
 */
public record DeviceOutcome(DeviceDraft draft, DeviceVerdict verdict) {}
