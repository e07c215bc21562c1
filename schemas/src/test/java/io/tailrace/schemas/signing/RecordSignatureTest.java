package io.tailrace.schemas.signing;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.io.ObjectInputStream;
import java.io.ObjectOutputStream;
import java.math.BigInteger;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Base64;
import java.util.HexFormat;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class RecordSignatureTest {
    private static final long SEED = 8032;
    private static final byte[] KEY = "m@1/s#7".getBytes(StandardCharsets.UTF_8);
    private static final byte[] VALUE = "hello".getBytes(StandardCharsets.UTF_8);

    @TempDir
    private Path folder;

    private RecordSigner signer;
    private TrustedKeys trusted;

    @BeforeEach
    void readKeys() throws IOException {
        signer = RecordSigner.read(OpensslKeys.file(folder, "signing.pem", OpensslKeys.SIGNING));
        trusted = TrustedKeys.read(List.of(OpensslKeys.file(folder, "trusted.pem", OpensslKeys.TRUSTED)));
    }

    /** What is signed, written down once more. */
    private static byte[] signed(String topic, byte[]... fields) throws IOException {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        DataOutputStream out = new DataOutputStream(bytes);
        out.writeBytes("tailrace-signature-1");
        out.writeByte(1);
        out.writeInt(topic.getBytes(StandardCharsets.UTF_8).length);
        out.write(topic.getBytes(StandardCharsets.UTF_8));
        for (byte[] field : fields) {
            out.writeByte(field == null ? 0 : 1);
            if (field != null) {
                out.writeInt(field.length);
                out.write(field);
            }
        }
        return bytes.toByteArray();
    }

    private static byte[] random(Random random, int lengthMax) {
        byte[] bytes = new byte[random.nextInt(lengthMax + 1)];
        random.nextBytes(bytes);
        return random.nextInt(8) == 0 ? null : bytes;
    }

    private static String topic(Random random) {
        return random.nextInt(1000) + (random.nextBoolean() ? "-snapshots" : "-\u00e9control");
    }

    /** RFC 8032, section 7.1, tests 1 to 3: the oracle is right. */
    @ParameterizedTest
    @CsvSource({
        "9d61b19deffd5a60ba844af492ec2cc44449c5697b326919703bac031cae7f60,"
                + "d75a980182b10ab7d54bfed3c964073a0ee172f3daa62325af021a68f707511a,'',"
                + "e5564300c360ac729086e2cc806e828a84877f1eb8e5d974d873e065224901555fb8821590a33bacc61e39701cf9b46bd25bf5f0595bbe24655141438e7a100b",
        "4ccd089b28ff96da9db6c346ec114e0f5b8a319f35aba624da8cf6ed4fb8a6fb,"
                + "3d4017c3e843895a92b70aa74d1b7ebc9c982ccf2ec4968cc0cd55f12af4660c,72,"
                + "92a009a9f0d4cab8720e820b5f642540a2b27b5416503f8fb3762223ebdb69da085ac1e43e15996e458f3613d0f11d8c387b2eaeb4302aeeb00d291612bb0c00",
        "c5aa8df43f9f837bedb7442f31dcb7b166d38535076f094b85ce3a2e0b4458f7,"
                + "fc51cd8e6218a1a38da47ed00230f0580816ed13ba3303ac5deb911548908025,af82,"
                + "6291d657deec24024827e69c3abe01a30ce548a284743a445e3680d7db5ac3ac18ff9b538d16f290ae67f760984dc6594a7c15e9716ed28dc027beceea1ec40a"
    })
    void theOracleSignsAsTheStandardSays(String secret, String publicKey, String message, String signature) {
        HexFormat hex = HexFormat.of();
        assertThat(hex.formatHex(ReferenceEd25519.publicKey(hex.parseHex(secret))))
                .isEqualTo(publicKey);
        assertThat(hex.formatHex(ReferenceEd25519.sign(hex.parseHex(secret), hex.parseHex(message))))
                .isEqualTo(signature);
    }

    /** Ed25519 signatures are the same each time, so whole headers are compared. */
    @Test
    void signsRandomRecordsWithRandomKeysAsTheOracleDoes() throws IOException {
        Random random = new Random(SEED);
        for (int i = 0; i < 12; i++) {
            byte[] secret = new byte[32];
            random.nextBytes(secret);
            byte[] pkcs8 = HexFormat.of()
                    .parseHex(
                            "302e020100300506032b657004220420" + HexFormat.of().formatHex(secret));
            String pem = "-----BEGIN PRIVATE KEY-----\n%s\n-----END PRIVATE KEY-----\n"
                    .formatted(Base64.getEncoder().encodeToString(pkcs8));
            RecordSigner any = RecordSigner.read(OpensslKeys.file(folder, "any.pem", pem));
            byte[] spki = any.publicKey().getEncoded();
            assertThat(Arrays.copyOfRange(spki, spki.length - 32, spki.length))
                    .as("seed %d, case %d", SEED, i)
                    .isEqualTo(ReferenceEd25519.publicKey(secret));
            String topic = topic(random);
            byte[] key = random(random, 40);
            byte[] value = random(random, 300);
            byte[] header = any.sign(topic, key, value);
            assertThat(Arrays.copyOfRange(header, 8, header.length))
                    .as("seed %d, case %d", SEED, i)
                    .isEqualTo(ReferenceEd25519.sign(secret, signed(topic, key, value)));
        }
    }

    @Test
    void opensslMadeTheSameSignatures() {
        HexFormat hex = HexFormat.of();
        assertThat(hex.formatHex(signer.sign("p-snapshots", KEY, VALUE)))
                .isEqualTo(OpensslKeys.KEY_ID + OpensslKeys.OF_HELLO);
        byte[] tombstone = hex.parseHex(OpensslKeys.KEY_ID + OpensslKeys.OF_TOMBSTONE);
        assertThatCode(() -> trusted.check("p-snapshots", KEY, null, tombstone)).doesNotThrowAnyException();
    }

    private static byte[] flipped(Random random, byte[] bytes) {
        byte[] other = bytes.clone();
        other[random.nextInt(other.length)] ^= (byte) (1 << random.nextInt(8));
        return other;
    }

    private static boolean isFlippable(byte[] bytes) {
        return bytes != null && bytes.length > 0;
    }

    @Test
    void anyFlippedBitOfAThousandRecordsIsRefused() {
        Random random = new Random(SEED);
        int[] refused = new int[4];
        for (int i = 0; i < 1_000; i++) {
            String topic = topic(random);
            byte[] key = random(random, 40);
            byte[] value = random(random, 2_000);
            byte[] header = signer.sign(topic, key, value);
            String what = "seed %d, case %d".formatted(SEED, i);
            assertThatCode(() -> trusted.check(topic, key, value, header))
                    .as(what)
                    .doesNotThrowAnyException();
            int place = random.nextInt(4);
            if (place == 0 && isFlippable(key)) {
                refuses(what, topic, flipped(random, key), value, header);
            } else if (place == 1 && isFlippable(value)) {
                refuses(what, topic, key, flipped(random, value), header);
            } else if (place == 2) {
                int at = random.nextInt(topic.length());
                String other = topic.substring(0, at) + (char) (topic.charAt(at) ^ 1) + topic.substring(at + 1);
                refuses(what, other, key, value, header);
            } else {
                refuses(what, topic, key, value, flipped(random, header));
                place = 3;
            }
            refused[place]++;
        }
        assertThat(Arrays.stream(refused).min().orElseThrow()).isGreaterThan(150);
    }

    private void refuses(String what, String topic, byte[] key, byte[] value, byte[] header) {
        assertThatThrownBy(() -> trusted.check(topic, key, value, header))
                .as(what)
                .isInstanceOf(UntrustedRecordException.class);
    }

    @Test
    void whatIsAbsentIsNotEmptyAndNoBoundaryMoves() {
        byte[] empty = {};
        byte[] header = signer.sign("control", KEY, null);
        refuses("a value", "control", KEY, empty, header);
        refuses("no value", "control", KEY, null, signer.sign("control", KEY, empty));
        refuses("no key", "control", null, KEY, signer.sign("control", KEY, null));
        refuses("no key", "control", null, VALUE, signer.sign("control", empty, VALUE));
        byte[] moved = signer.sign("control", new byte[] {'a'}, new byte[] {'b', 'c'});
        refuses("a byte went to the key", "control", new byte[] {'a', 'b'}, new byte[] {'c'}, moved);
        refuses("a byte came from the topic", "contro", new byte[] {'l', 'a'}, new byte[] {'b', 'c'}, moved);
    }

    @Test
    void whatIsRefusedIsSaidWithWhatToDo() {
        byte[] header = signer.sign("control", KEY, VALUE);
        assertThatThrownBy(() -> trusted.check("control", KEY, VALUE, null))
                .isInstanceOf(UntrustedRecordException.class)
                .hasMessage("it is not signed; expected a signature by one of [%s], as --signing-key gives it"
                        .formatted(OpensslKeys.KEY_ID));
        for (int length : new int[] {0, 8, 64, 71, 73}) {
            refuses("%d bytes".formatted(length), "control", KEY, VALUE, Arrays.copyOf(header, length));
        }
        byte[] unknown = RecordSigner.generated().sign("control", KEY, VALUE);
        assertThatThrownBy(() -> trusted.check("control", KEY, VALUE, unknown))
                .isInstanceOf(UntrustedRecordException.class)
                .hasMessageContaining("expected one of [" + OpensslKeys.KEY_ID + "]");
        assertThatThrownBy(() -> trusted.check("snapshots", KEY, VALUE, header))
                .hasMessageContaining(
                        "its signature by key " + OpensslKeys.KEY_ID + " is not of this topic, key and value");
        byte[] overflowing = header.clone();
        Arrays.fill(overflowing, 8, 72, (byte) 0xff);
        refuses("no point, no scalar", "control", KEY, VALUE, overflowing);
    }

    /** An Ed25519 signature could be written in another way by adding the group's order; nobody may. */
    @Test
    void aSignatureHasOneForm() {
        byte[] header = signer.sign("control", KEY, VALUE);
        BigInteger order = BigInteger.TWO.pow(252).add(new BigInteger("27742317777372353535851937790883648493"));
        BigInteger scalar = BigInteger.ZERO;
        for (int i = 71; i >= 40; i--) {
            scalar = scalar.shiftLeft(8).or(BigInteger.valueOf(header[i] & 0xff));
        }
        scalar = scalar.add(order);
        for (int i = 0; i < 32; i++) {
            header[40 + i] = scalar.shiftRight(8 * i).byteValue();
        }
        refuses("scalar beyond the order", "control", KEY, VALUE, header);
    }

    @Test
    void duringARotationOldAndNewAreTrusted() throws IOException {
        RecordSigner second = RecordSigner.read(OpensslKeys.file(folder, "second.pem", OpensslKeys.SECOND_SIGNING));
        TrustedKeys both = TrustedKeys.read(
                List.of(OpensslKeys.file(folder, "both.pem", OpensslKeys.TRUSTED + OpensslKeys.SECOND_TRUSTED)));
        TrustedKeys onlyNew =
                TrustedKeys.read(List.of(OpensslKeys.file(folder, "new.pem", OpensslKeys.SECOND_TRUSTED)));
        byte[] old = signer.sign("control", KEY, VALUE);
        byte[] fresh = second.sign("control", KEY, VALUE);
        both.check("control", KEY, VALUE, old);
        both.check("control", KEY, VALUE, fresh);
        onlyNew.check("control", KEY, VALUE, fresh);
        assertThatThrownBy(() -> onlyNew.check("control", KEY, VALUE, old))
                .isInstanceOf(UntrustedRecordException.class);
        refuses("not yet trusted", "control", KEY, VALUE, fresh);
    }

    /** An id says which key to try; it is not believed. */
    @Test
    void aSignatureUnderTheIdOfAnotherTrustedKeyIsRefused() {
        RecordSigner second = RecordSigner.generated();
        TrustedKeys both = TrustedKeys.of(signer.publicKey(), second.publicKey());
        byte[] header = signer.sign("control", KEY, VALUE);
        System.arraycopy(second.sign("control", KEY, VALUE), 0, header, 0, 8);
        assertThatThrownBy(() -> both.check("control", KEY, VALUE, header))
                .isInstanceOf(UntrustedRecordException.class);
    }

    @Test
    void withoutTrustedKeysEverythingIsTaken() {
        for (byte[] header : new byte[][] {null, {}, {1, 2, 3}, new byte[72]}) {
            assertThatCode(() -> TrustedKeys.none().check("control", null, null, header))
                    .doesNotThrowAnyException();
        }
        assertThat(TrustedKeys.read(List.of()).isNone()).isTrue();
    }

    /** Public keys travel with the job's graph. */
    @Test
    void trustedKeysSurviveSerialization() throws Exception {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        try (ObjectOutputStream out = new ObjectOutputStream(bytes)) {
            out.writeObject(trusted);
        }
        try (ObjectInputStream in = new ObjectInputStream(new ByteArrayInputStream(bytes.toByteArray()))) {
            TrustedKeys read = (TrustedKeys) in.readObject();
            read.check("control", KEY, VALUE, signer.sign("control", KEY, VALUE));
            assertThatThrownBy(() -> read.check("control", KEY, VALUE, null))
                    .isInstanceOf(UntrustedRecordException.class);
        }
    }
}
