package io.tailrace.suffix.segment;

import java.nio.file.Path;

/** A segment file and the sidecar beside it. */
public record SegmentFiles(Path segment, Path sidecar) {}
