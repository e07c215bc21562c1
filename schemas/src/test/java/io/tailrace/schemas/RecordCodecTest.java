package io.tailrace.schemas;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.tailrace.testkit.AllocationLimit;
import io.tailrace.testkit.ForeignDigits;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.Arrays;
import java.util.Collections;
import java.util.Random;
import java.util.stream.Stream;
import org.apache.avro.SchemaNormalization;
import org.apache.avro.message.BinaryMessageDecoder;
import org.apache.avro.specific.SpecificData;
import org.apache.avro.specific.SpecificRecord;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

class RecordCodecTest {
    static Stream<RecordCodec<?>> codecs() {
        return Samples.all().keySet().stream();
    }

    @ParameterizedTest
    @MethodSource("codecs")
    void everyKindSurvivesTheRoundTrip(RecordCodec<?> codec) throws Exception {
        SpecificRecord sample = Samples.all().get(codec);
        assertThat(codec.decode(encode(codec, sample))).isEqualTo(sample);
    }

    @ParameterizedTest
    @MethodSource("codecs")
    void everyReleasedVersionStaysReadable(RecordCodec<?> codec) throws Exception {
        for (int version = 1; version <= codec.currentVersion(); version++) {
            byte[] golden = golden(codec, version);
            SpecificRecord read = (SpecificRecord) codec.decode(golden);
            if (version == codec.currentVersion()) {
                assertThat(read).isEqualTo(Samples.all().get(codec));
                assertThat(encode(codec, read)).isEqualTo(golden);
            }
        }
    }

    @ParameterizedTest
    @MethodSource("codecs")
    void theNewestReleaseIsTheSchemaThatIsWritten(RecordCodec<?> codec) {
        SpecificRecord sample = Samples.all().get(codec);
        assertThat(SchemaNormalization.toParsingForm(codec.release(codec.currentVersion())))
                .as(
                        "%s changed: before 0.1.0 write it over versions/%s-1.avsc, from then on beside it as version %d",
                        codec.name(), codec.name(), codec.currentVersion() + 1)
                .isEqualTo(SchemaNormalization.toParsingForm(sample.getSchema()));
    }

    @Test
    void aRecordNamesItsSchema() {
        byte[] bytes = RecordCodec.GENERATION.encode(Samples.generation());
        byte[] fingerprint;
        try {
            fingerprint = SchemaNormalization.parsingFingerprint("CRC-64-AVRO", Generation.getClassSchema());
        } catch (java.security.NoSuchAlgorithmException e) {
            throw new AssertionError(e);
        }
        assertThat(Arrays.copyOf(bytes, 2)).containsExactly(0xC3, 0x01);
        assertThat(Arrays.copyOfRange(bytes, 2, RecordCodec.HEADER_BYTES)).isEqualTo(fingerprint);
    }

    @Test
    void bytesOfAnUnknownSchemaAreToldApartFromGarbage() {
        byte[] bytes = RecordCodec.GENERATION.encode(Samples.generation());
        bytes[5] ^= 1;
        assertThatThrownBy(() -> RecordCodec.GENERATION.decode(bytes))
                .isInstanceOfSatisfying(
                        UndecodableRecordException.class,
                        e -> assertThat(e.kind()).isEqualTo(UndecodableRecordException.Kind.UNKNOWN_SCHEMA));
        assertThatThrownBy(() -> RecordCodec.GENERATION.decode(new byte[] {1, 2}))
                .isInstanceOfSatisfying(
                        UndecodableRecordException.class,
                        e -> assertThat(e.kind()).isEqualTo(UndecodableRecordException.Kind.MALFORMED));
        assertThatThrownBy(() -> RecordCodec.GENERATION.decode(new byte[0]))
                .isInstanceOf(UndecodableRecordException.class);
    }

    /** A claimed length must not be believed: the process would run out of memory. */
    @Test
    void aClaimedLengthOfTwoGibibytesIsRefusedNotAllocated() {
        byte[] header = Arrays.copyOf(RecordCodec.GENERATION.encode(Samples.generation()), RecordCodec.HEADER_BYTES);
        byte[] hugeString = concat(header, new byte[] {(byte) 0xFC, (byte) 0xFF, (byte) 0xFF, (byte) 0xFF, 0x0F});
        assertThatThrownBy(() -> RecordCodec.GENERATION.decode(hugeString))
                .isInstanceOf(UndecodableRecordException.class);
        byte[] empty = {0, 0, 0, 0, 0, 2}; // requestId, model, revision, scope, producer empty; prompt branch 1
        byte[] hugeArray = concat(header, empty, new byte[] {(byte) 0xEC, (byte) 0xFF, (byte) 0xFF, (byte) 0xFF, 0x0F});
        assertThatThrownBy(() -> RecordCodec.GENERATION.decode(hugeArray))
                .isInstanceOf(UndecodableRecordException.class);
    }

    /** Nor is any that the record has no bytes for: thirty bytes must not cost megabytes. */
    @Test
    void aRecordCostsNoMoreThanItsBytes() throws Exception {
        byte[] header = Arrays.copyOf(RecordCodec.OUTCOME.encode(Samples.outcome()), RecordCodec.HEADER_BYTES);
        byte[] sevenMebibytes = {(byte) 0x80, (byte) 0x80, (byte) 0x80, 7};
        byte[] longText = concat(header, sevenMebibytes);
        byte[] items = concat(header, new byte[] {2, 'r', 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0}, sevenMebibytes);
        for (byte[] bytes : new byte[][] {longText, items}) {
            assertThatThrownBy(() -> AllocationLimit.check(bytes.length, () -> RecordCodec.OUTCOME.decode(bytes)))
                    .isInstanceOf(UndecodableRecordException.class)
                    .hasStackTraceContaining("a length of 7340032");
        }
    }

    /** Each item is an object of dozens of bytes, of one or two that were sent. */
    @Test
    void aRecordOfAMillionItemsIsRefused() {
        Outcome outcome = Samples.outcome();
        outcome.setByPosition(Collections.nCopies(1_000_000, new PositionOutcome(0, 0)));
        SnapshotManifest manifest = Samples.manifest();
        manifest.setCompletionTimesAdded(Collections.nCopies(1_000_000, Instant.EPOCH));
        assertThatThrownBy(() -> RecordCodec.OUTCOME.decode(RecordCodec.OUTCOME.encode(outcome)))
                .isInstanceOf(UndecodableRecordException.class)
                .hasRootCauseMessage("more than 131072 items of arrays and maps");
        assertThatThrownBy(() -> RecordCodec.SNAPSHOT_MANIFEST.decode(RecordCodec.SNAPSHOT_MANIFEST.encode(manifest)))
                .isInstanceOf(UndecodableRecordException.class);
    }

    @Test
    void damagedBytesNeverEscapeAsAnotherException() {
        long seed = 20_261_121L;
        Random random = new Random(seed);
        byte[] good = RecordCodec.GENERATION.encode(Samples.generation());
        for (int i = 0; i < 20_000; i++) {
            byte[] bad = Arrays.copyOf(good, RecordCodec.HEADER_BYTES + random.nextInt(good.length));
            for (int flips = 1 + random.nextInt(4); flips > 0; flips--) {
                int at = RecordCodec.HEADER_BYTES + random.nextInt(Math.max(1, bad.length - RecordCodec.HEADER_BYTES));
                if (at < bad.length) {
                    bad[at] = (byte) random.nextInt();
                }
            }
            try {
                RecordCodec.GENERATION.decode(bad);
            } catch (UndecodableRecordException expected) {
                assertThat(expected.getMessage()).as("seed %d case %d", seed, i).contains("Generation");
            }
        }
    }

    @Test
    void generationsAreReadAsAvroReadsThemAndDamagedOnesToo() throws Exception {
        long seed = 20_261_121L;
        Random random = new Random(seed);
        for (int i = 0; i < 5_000; i++) {
            Generation generation = Samples.generation();
            generation.setResponse(
                    TokenIds.toList(random.ints(random.nextInt(300)).toArray()));
            int prompt = random.nextInt(4) * random.nextInt(3_000);
            generation.setPrompt(
                    prompt == 0
                            ? null
                            : TokenIds.toList(random.ints(prompt, 0, 1 << 20).toArray()));
            generation.setTemperature(random.nextBoolean() ? null : random.nextFloat());
            readsAsAvroDoes(RecordCodec.GENERATION, generation, random, "seed %d case %d".formatted(seed, i));
        }
    }

    @Test
    void admittedAnswersAreReadAsAvroReadsThemAndDamagedOnesToo() throws Exception {
        long seed = 20_261_122L;
        Random random = new Random(seed);
        for (int i = 0; i < 5_000; i++) {
            AdmittedAnswer answer = Samples.admittedAnswer();
            answer.setTokens(TokenIds.toList(random.ints(random.nextInt(300)).toArray()));
            answer.setRequestLow(random.nextLong());
            readsAsAvroDoes(RecordCodec.ADMITTED_ANSWER, answer, random, "seed %d case %d".formatted(seed, i));
        }
    }

    /** Whole, and with one bit of its body turned over. */
    private static <T extends SpecificRecord> void readsAsAvroDoes(
            RecordCodec<T> codec, T datum, Random random, String which) throws Exception {
        byte[] bytes = codec.encode(datum);
        assertThat(codec.decode(bytes)).as(which).isEqualTo(datum).isEqualTo(byAvro(datum, bytes));
        bytes[RecordCodec.HEADER_BYTES + random.nextInt(bytes.length - RecordCodec.HEADER_BYTES)] ^=
                (byte) (1 << random.nextInt(8));
        assertThat(readOrNull(bytes, codec::decode))
                .as("%s, damaged", which)
                .isEqualTo(readOrNull(bytes, damaged -> byAvro(datum, damaged)));
    }

    /** By Avro's own decoder of single-object encoding. */
    @SuppressWarnings("unchecked") // it reads what the datum's schema describes
    static <T extends SpecificRecord> T byAvro(T likeThis, byte[] bytes) throws IOException {
        return (T) new BinaryMessageDecoder<>(SpecificData.get(), likeThis.getSchema()).decode(bytes);
    }

    /** As {@code Function}, and may refuse. */
    @FunctionalInterface
    private interface Reader<T> {
        T read(byte[] bytes) throws UndecodableRecordException, IOException;
    }

    private static <T> T readOrNull(byte[] bytes, Reader<T> reader) {
        try {
            return reader.read(bytes);
        } catch (UndecodableRecordException | IOException | RuntimeException refused) {
            return null; // Avro's own reader refuses with whatever it trips over
        }
    }

    @ParameterizedTest
    @MethodSource("codecs")
    void whatIsNoRecordIsUndecodable(RecordCodec<?> codec) {
        byte[] newer = {(byte) 0xC3, 1, 1, 2, 3, 4, 5, 6, 7, 8, 0};
        for (byte[] bytes : new byte[][] {null, {}, {1, 2, 3}, newer}) {
            assertThatThrownBy(() -> codec.decode(bytes))
                    .isInstanceOf(UndecodableRecordException.class)
                    .hasMessageContaining(codec.name());
        }
    }

    private static byte[] golden(RecordCodec<?> codec, int version) throws IOException {
        String name = "/golden/%s-%d.bin".formatted(codec.name(), version);
        try (InputStream in = RecordCodecTest.class.getResourceAsStream(name)) {
            if (in == null) {
                Path written = Path.of("target", codec.name() + "-" + version + ".bin");
                Files.write(written, encode(codec, Samples.all().get(codec)));
                throw new AssertionError(
                        "golden file " + name + " is missing; what the code writes now is in " + written);
            }
            return in.readAllBytes();
        }
    }

    @SuppressWarnings("unchecked")
    private static <T extends SpecificRecord> byte[] encode(RecordCodec<T> codec, SpecificRecord datum) {
        return codec.encode((T) datum);
    }

    private static byte[] concat(byte[]... parts) {
        byte[] all = new byte[0];
        for (byte[] part : parts) {
            int at = all.length;
            all = Arrays.copyOf(all, at + part.length);
            System.arraycopy(part, 0, all, at, part.length);
        }
        return all;
    }

    @Test
    void aReleaseIsFoundWhateverDigitsTheMachineWrites() throws Exception {
        assertThat(ForeignDigits.there(() -> RecordCodec.GENERATION.release(1).getName()))
                .isEqualTo("Generation");
    }
}
