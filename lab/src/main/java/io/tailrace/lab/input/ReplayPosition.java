package io.tailrace.lab.input;

import java.nio.file.Path;

/** Where in the input a request stands; lines count from 1. */
public record ReplayPosition(Path file, long line) {
    @Override
    public String toString() {
        return file + ":" + line;
    }
}
