package io.tailrace.operators.admission;

import io.tailrace.schemas.Rejection;

/**
 * What admission says of one record: admitted or rejected, exactly one of the two.
 *
 * @param prompt of what is admitted; none where it is not known
 * @param response of what is admitted
 */
record AdmissionVerdict(AdmittedGeneration admitted, int[] prompt, int[] response, Rejection rejection) {
    static AdmissionVerdict admit(AdmittedGeneration generation, int[] prompt, int[] response) {
        return new AdmissionVerdict(generation, prompt, response, null);
    }

    static AdmissionVerdict reject(Rejection rejection) {
        return new AdmissionVerdict(null, null, null, rejection);
    }

    boolean isAdmitted() {
        return admitted != null;
    }
}
