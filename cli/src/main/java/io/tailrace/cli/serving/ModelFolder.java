package io.tailrace.cli.serving;

import java.nio.file.Path;

/** Which folder the served model lies in. */
public interface ModelFolder {
    /** The folder, once the options are read. */
    Path path();
}
