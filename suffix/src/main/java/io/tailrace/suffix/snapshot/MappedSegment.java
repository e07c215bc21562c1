package io.tailrace.suffix.snapshot;

import io.tailrace.suffix.OccurrenceIndex;

/** A segment that is mapped: what is searched, and what unmaps it. */
public record MappedSegment(OccurrenceIndex index, Runnable unmap) {}
