package io.tailrace.lab.recorded;

import java.nio.file.Path;

/** Where in the input a request stands; lines count from 1. */
public record InputPosition(Path file, long line) {
    @Override
    public String toString() {
        return file + ":" + line;
    }
}
