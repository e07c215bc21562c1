package io.tailrace.operators.admission;

import io.tailrace.schemas.Rejection;

/** What admission says of one record: exactly one of the two is there. */
record Verdict(AdmittedGeneration admitted, Rejection rejection) {
    static Verdict admit(AdmittedGeneration generation) {
        return new Verdict(generation, null);
    }

    static Verdict reject(Rejection rejection) {
        return new Verdict(null, rejection);
    }

    boolean isAdmitted() {
        return admitted != null;
    }
}
