package io.tailrace.schemas.signing;

import static org.assertj.core.api.Assertions.assertThat;

import com.code_intelligence.jazzer.junit.FuzzTest;
import io.tailrace.testkit.AllocationLimit;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.provider.MethodSource;

/** The signature header of one record. */
class RecordSignatureFuzzTest {
    private static final String TOPIC = "snapshots";
    private static final byte[] KEY = {1, 2, 3};
    private static final byte[] VALUE = {4, 5, 6, 7};

    @TempDir
    static Path folder;

    private static RecordSigner signer;
    private static TrustedKeys trusted;

    @BeforeAll
    static void readKey() throws Exception {
        signer = RecordSigner.read(OpensslKeys.file(folder, "key.pem", OpensslKeys.SIGNING));
        trusted = TrustedKeys.of(signer.publicKey());
    }

    static Stream<byte[]> seeds() {
        byte[] header = signer.sign(TOPIC, KEY, VALUE);
        byte[] other = signer.sign(TOPIC, KEY, null);
        return Stream.of(header, other, Arrays.copyOf(header, 71), new byte[SignatureFormat.HEADER_BYTES]);
    }

    @MethodSource("seeds")
    @FuzzTest
    void aHeaderIsTheSignersOrRefused(byte[] header) throws Exception {
        try {
            AllocationLimit.check(header.length, () -> {
                trusted.check(TOPIC, KEY, VALUE, header);
                return header;
            });
        } catch (UntrustedRecordException refused) {
            return;
        }
        assertThat(header).isEqualTo(signer.sign(TOPIC, KEY, VALUE));
    }
}
