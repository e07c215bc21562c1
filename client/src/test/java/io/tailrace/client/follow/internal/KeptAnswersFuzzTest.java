package io.tailrace.client.follow.internal;

import static org.assertj.core.api.Assertions.assertThat;

import com.code_intelligence.jazzer.junit.FuzzTest;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * What an earlier process left in a folder of kept answers, and what became of it since: steps of four bytes each damage one file. Scope A has two
 * segments, scope B has one.
 */
class KeptAnswersFuzzTest extends KeptFiles {
    private static final int STEP_BYTES = 4;
    private static final String NAME = "0".repeat(64);
    private static final Map<String, List<String>> ANSWERS = Map.of("A", List.of("[1]", "[2]"), "B", List.of("[3]"));

    /** By path below the folder, in its order. */
    private static final TreeMap<String, byte[]> LEFT = new TreeMap<>();

    /** Files that are damaged, and the scopes that they are of. */
    private final Set<String> damaged = new HashSet<>();

    @BeforeAll
    static void leave(@TempDir Path folders) throws IOException {
        for (int token = 1; token <= 3; token++) {
            Path folder = folders.resolve("kept-" + token);
            String scope = token < 3 ? "A" : "B";
            try (KeptAnswers answers = KeptAnswers.open(lanes(folders), folder, Long.MAX_VALUE)) {
                keep(answers, scope, token, token);
            }
            for (Path file : files(folder, "").toList()) {
                LEFT.merge(folder.relativize(file).toString(), Files.readAllBytes(file), (one, other) -> {
                    byte[] both = Arrays.copyOf(one, one.length + other.length);
                    System.arraycopy(other, 0, both, one.length, other.length);
                    return both;
                });
            }
        }
        assertThat(LEFT).as("a layout of each scope, and two files a segment").hasSize(8);
    }

    static Stream<byte[]> seeds() {
        Stream.Builder<byte[]> seeds = Stream.builder();
        seeds.add(new byte[0]);
        seeds.add(anotherScopesSegment());
        seeds.add(damagedBesideAFolder());
        for (byte damage = 0; damage < Damage.values().length; damage++) {
            for (byte file = 0; file < 8; file++) {
                seeds.add(new byte[] {damage, file, 0, (byte) (20 * file + 1)});
            }
        }
        return seeds.build();
    }

    /** B's segment is replaced by one of A's: A must lose nothing by it. */
    private static byte[] anotherScopesSegment() {
        return new byte[] {3, 5, 0, 0};
    }

    /** A's first sidecar is a folder, and the segment is what the sidecar was. */
    private static byte[] damagedBesideAFolder() {
        return new byte[] {5, 1, 0, 0, 3, 0, 0, 1};
    }

    /** What may become of a file. */
    private enum Damage {
        DELETED,
        CUT,
        FLIPPED,
        REPLACED_BY_ANOTHER,
        COPIED_TO_ANOTHER_NAME,
        FOLDER_IN_ITS_PLACE,
        REPLACED_BY_THE_INPUT
    }

    @MethodSource("seeds")
    @FuzzTest
    void damagedFilesCostTheirAnswersOnly(byte[] input) throws Exception {
        damaged.clear();
        delete(kept());
        for (Map.Entry<String, byte[]> file : LEFT.entrySet()) {
            Path path = kept().resolve(file.getKey());
            Files.createDirectories(path.getParent());
            Files.write(path, file.getValue());
        }
        for (int at = 0; at + STEP_BYTES <= input.length; at += STEP_BYTES) {
            damage(input, at);
        }
        goOn();
    }

    private void goOn() throws IOException {
        try (KeptAnswers answers = KeptAnswers.open(lanes(), kept(), Long.MAX_VALUE)) {
            keep(answers, "A", 7, 7);
            keep(answers, "B", 8, 8);
            answers.flush();
        }
        KeptAnswers.open(lanes(), kept(), Long.MAX_VALUE).close();
        List<String> documents = documents(kept());
        assertThat(documents).containsOnlyOnce("[7]", "[8]");
        ANSWERS.forEach((scope, answers) -> {
            if (!damaged.contains(scope)) {
                assertThat(documents).as("scope %s is intact", scope).containsAll(answers);
            }
        });
    }

    private void damage(byte[] input, int at) throws IOException {
        Damage damage = Damage.values()[Byte.toUnsignedInt(input[at]) % Damage.values().length];
        Path file = file(input[at + 1]);
        if (!Files.isRegularFile(file)) {
            return;
        }
        byte[] bytes = Files.readAllBytes(file);
        int position = (Byte.toUnsignedInt(input[at + 2]) << Byte.SIZE) + Byte.toUnsignedInt(input[at + 3]);
        damaged.add(file.getParent().getFileName().toString());
        switch (damage) {
            case DELETED -> Files.delete(file);
            case CUT -> Files.write(file, Arrays.copyOf(bytes, position % (bytes.length + 1)));
            case FLIPPED -> {
                if (bytes.length > 0) {
                    flip(file, position % bytes.length);
                }
            }
            case REPLACED_BY_ANOTHER -> Files.write(file, LEFT.get(name(input[at + 3])));
            case COPIED_TO_ANOTHER_NAME -> {
                String ending = file.toString().replaceAll(".*[./]", "");
                Files.write(file.resolveSibling(NAME + "." + ending), bytes);
            }
            case FOLDER_IN_ITS_PLACE -> {
                Files.delete(file);
                Files.createDirectory(file);
            }
            case REPLACED_BY_THE_INPUT -> Files.write(file, Arrays.copyOfRange(input, at, input.length));
        }
    }

    private Path file(byte which) {
        return kept().resolve(name(which));
    }

    private static String name(byte which) {
        return new ArrayList<>(LEFT.keySet()).get(Byte.toUnsignedInt(which) % LEFT.size());
    }

    private static void delete(Path folder) throws IOException {
        if (Files.exists(folder)) {
            try (Stream<Path> all = Files.walk(folder)) {
                for (Path path :
                        all.sorted((one, other) -> other.compareTo(one)).toList()) {
                    Files.delete(path);
                }
            }
        }
    }
}
