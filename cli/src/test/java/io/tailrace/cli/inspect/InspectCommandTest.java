package io.tailrace.cli.inspect;

import static org.assertj.core.api.Assertions.assertThat;

import io.tailrace.suffix.segment.Compaction;
import io.tailrace.suffix.segment.GenerationEntry;
import io.tailrace.suffix.segment.SegmentIdentity;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import picocli.CommandLine;

class InspectCommandTest {
    @TempDir
    Path folder;

    private final StringWriter out = new StringWriter();
    private final StringWriter err = new StringWriter();
    private String file;

    @BeforeEach
    void writeSegment() throws IOException {
        List<Compaction.Input> generations = List.of(
                new Compaction.Input(new GenerationEntry(1, 1, "p", 1000), new int[] {5, 6, 7}),
                new Compaction.Input(new GenerationEntry(1, 2, "p", 2000), new int[] {5, 6, 7}),
                new Compaction.Input(new GenerationEntry(1, 3, "p", 3000), new int[] {6, 7, 8}));
        SegmentIdentity lane = new SegmentIdentity("model@1/scope", 10, "tokenizer");
        file = Compaction.flush(generations, lane, folder).files().segment().toString();
    }

    private int inspect(String... arguments) {
        return new CommandLine(new InspectCommand())
                .setOut(new PrintWriter(out))
                .setErr(new PrintWriter(err))
                .execute(arguments);
    }

    @Test
    void checkAcceptsAnIntactSegmentAndItsSidecar() {
        assertThat(inspect("check", file)).isZero();
        assertThat(out.toString()).contains("intact", "sidecar");
    }

    @Test
    void checkRefusesADamagedSegmentAndGoesOn() throws IOException {
        byte[] bytes = Files.readAllBytes(Path.of(file));
        bytes[bytes.length / 2] ^= 1;
        Path damaged = Files.write(folder.resolve("damaged"), bytes);
        assertThat(inspect("check", damaged.toString(), file)).isEqualTo(1);
        assertThat(err.toString()).contains("damaged", "expected", "got");
        assertThat(out.toString()).contains(file);
    }

    @Test
    void missingFilesAreNamed() {
        assertThat(inspect("stats", "--json", folder.resolve("none").toString()))
                .isEqualTo(1);
        assertThat(out.toString()).contains("\"error\":", "no such file");
    }

    @Test
    void statsDescribe() {
        assertThat(inspect("stats", "--json", file)).isZero();
        assertThat(out.toString())
                .contains("\"documents\":2", "\"liveTokens\":9", "\"textTokens\":6", "\"lane\":\"model@1/scope\"");
    }

    @Test
    void matchShowsTheNearestOccurrences() {
        assertThat(inspect("match", file, "--context", "9,6,7", "-k", "4", "--json"))
                .isZero();
        assertThat(out.toString())
                .contains("\"matches\":[{\"document\":1,\"position\":5,\"matchLength\":2,\"nextToken\":8}]");
    }

    @Test
    void countCountsRepeats() {
        assertThat(inspect("count", file, "--pattern", "6,7", "--json")).isZero();
        assertThat(out.toString()).contains("\"count\":3,\"ends\":2,\"nextTokens\":[{\"token\":8,\"count\":1}]");
    }

    @Test
    void documentsAreDumpedOnlyWhenAskedFor() {
        assertThat(inspect("dump", file)).isEqualTo(2);
        assertThat(err.toString()).contains("--documents");
        assertThat(out.toString()).doesNotContain("5 6 7");
        assertThat(inspect("dump", file, "--documents")).isZero();
        assertThat(out.toString()).contains("5 6 7", "multiplicity 2");
    }

    @Test
    void wrongCommandLinesAreRefused() {
        assertThat(inspect("match", file)).isEqualTo(2);
        assertThat(inspect("match", file, "--context", "1", "-k", "0")).isEqualTo(2);
        assertThat(inspect("count", file, "--pattern", "1,x")).isEqualTo(2);
        assertThat(inspect("count", file, "--pattern", "1,-4")).isEqualTo(2);
    }
}
