package io.tailrace.e2e.simulation;

import io.tailrace.schemas.signing.RecordSigner;
import io.tailrace.schemas.signing.TrustedKeys;
import java.nio.charset.StandardCharsets;

/** Who signs what in an installation, and who is believed; where nothing is signed, everybody is. */
final class SimulatedKeys {
    private static final RecordSigner JOB = RecordSigner.generated();
    private static final RecordSigner OPERATOR = RecordSigner.generated();
    private static final RecordSigner FOREIGN = RecordSigner.generated();
    private static final TrustedKeys TRUSTED = TrustedKeys.of(JOB.publicKey(), OPERATOR.publicKey());

    private final boolean signed;

    SimulatedKeys(boolean signed) {
        this.signed = signed;
    }

    boolean isSigned() {
        return signed;
    }

    TrustedKeys trusted() {
        return signed ? TRUSTED : TrustedKeys.none();
    }

    byte[] ofJob(SimulatedTopic topic, String key, byte[] value) {
        return of(JOB, topic, key, value);
    }

    byte[] ofOperator(SimulatedTopic topic, String key, byte[] value) {
        return of(OPERATOR, topic, key, value);
    }

    /** Of a key that nobody here trusts. */
    byte[] foreign(SimulatedTopic topic, String key, byte[] value) {
        return of(FOREIGN, topic, key, value);
    }

    private byte[] of(RecordSigner signer, SimulatedTopic topic, String key, byte[] value) {
        return signed ? signer.sign(topic.name(), key.getBytes(StandardCharsets.UTF_8), value) : null;
    }
}
