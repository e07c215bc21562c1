package io.tailrace.operators.admission;

import io.tailrace.schemas.Rejection;

/**
 * What admission says of one record: admitted or rejected, exactly one of the two.
 *
 * @param prompt of what is admitted; none where it is not known
 * @param response of what is admitted
 */
record Verdict(AdmittedGeneration admitted, int[] prompt, int[] response, Rejection rejection) {
    static Verdict admit(AdmittedGeneration generation, int[] prompt, int[] response) {
        return new Verdict(generation, prompt, response, null);
    }

    static Verdict reject(Rejection rejection) {
        return new Verdict(null, null, null, rejection);
    }

    boolean isAdmitted() {
        return admitted != null;
    }
}
