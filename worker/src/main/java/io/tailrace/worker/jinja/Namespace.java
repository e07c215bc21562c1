package io.tailrace.worker.jinja;

import java.util.Map;

/** What {@code namespace()} makes: the one value that a template may change. */
record Namespace(Map<Object, Object> names) {}
