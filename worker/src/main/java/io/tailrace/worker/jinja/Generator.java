package io.tailrace.worker.jinja;

import java.util.Iterator;

/** What a filter gives one by one: it is gone through once, has no length and no items by number. */
record Generator(Iterator<Object> items) {}
