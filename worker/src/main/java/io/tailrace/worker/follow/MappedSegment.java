package io.tailrace.worker.follow;

import io.tailrace.suffix.OccurrenceIndex;

/** A segment that is mapped: what is searched, and what unmaps it. */
record MappedSegment(OccurrenceIndex index, Runnable unmap) {}
