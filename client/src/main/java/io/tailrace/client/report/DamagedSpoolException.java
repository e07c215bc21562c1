package io.tailrace.client.report;

import java.io.IOException;

/** A spool file is not what was written into it; every other failure to read one may pass. */
final class DamagedSpoolException extends IOException {
    private static final long serialVersionUID = 1L;

    DamagedSpoolException(String message) {
        super(message);
    }
}
