package io.tailrace.e2e.deploy;

import static org.assertj.core.api.Assertions.assertThat;

import io.tailrace.schemas.Generation;
import io.tailrace.schemas.Lane;
import io.tailrace.schemas.RecordCodec;
import io.tailrace.schemas.TokenIds;
import io.tailrace.schemas.Topic;
import java.io.StringWriter;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.List;
import javax.tools.JavaCompiler;
import javax.tools.StandardJavaFileManager;
import javax.tools.ToolProvider;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The pages about feeding generations, and docs/examples, say what the code does. */
class ProducerExamplesTest {
    private static final String RECORD = RepositoryFiles.text("docs/reference/generation-record.md");

    @Test
    void theJavaExampleCompiles(@TempDir Path classes) throws Exception {
        JavaCompiler compiler = ToolProvider.getSystemJavaCompiler();
        StringWriter complaints = new StringWriter();
        try (StandardJavaFileManager files = compiler.getStandardFileManager(null, null, StandardCharsets.UTF_8)) {
            boolean compiled = compiler.getTask(
                            complaints,
                            files,
                            null,
                            List.of(
                                    "-d",
                                    classes.toString(),
                                    "-proc:none",
                                    "-cp",
                                    System.getProperty("java.class.path")),
                            null,
                            files.getJavaFileObjects(
                                    RepositoryFiles.root().resolve("docs/examples/java/GenerationProducer.java")))
                    .call();
            assertThat(compiled).as(complaints.toString()).isTrue();
        }
    }

    @Test
    void theNodeExamplesBytesAreAGeneration() throws Exception {
        byte[] fromNode = HexFormat.of()
                .parseHex(RepositoryFiles.text(
                                "e2e/src/test/resources/io/tailrace/e2e/deploy/generation-from-node-producer.hex")
                        .strip());
        Generation generation = RecordCodec.GENERATION.decode(fromNode);
        assertThat(generation.getLane()).isEqualTo(new Lane("meta-llama/Llama-3.1-8B-Instruct", "main", "acme"));
        assertThat(TokenIds.toArray(generation.getResponse())).containsExactly(791, 4320, 374, 220, 2983, 13, 128009);
        assertThat(generation.getPrompt()).isNull();
        assertThat(generation.getTemperature()).isZero();
        assertThat(RecordCodec.GENERATION.encode(generation)).isEqualTo(fromNode);
    }

    @Test
    void theReferenceAndTheNodeExampleNameTheSchemasFingerprint() throws Exception {
        byte[] record = RecordCodec.GENERATION.encode(RecordCodec.GENERATION.decode(HexFormat.of()
                .parseHex(RepositoryFiles.text(
                                "e2e/src/test/resources/io/tailrace/e2e/deploy/generation-from-node-producer.hex")
                        .strip())));
        byte[] header = Arrays.copyOf(record, RecordCodec.HEADER_BYTES);
        assertThat(RepositoryFiles.text("docs/examples/node/generation.mjs"))
                .contains("'" + HexFormat.of().formatHex(header) + "'");
        assertThat(RECORD).contains(HexFormat.ofDelimiter(" ").formatHex(header, 2, RecordCodec.HEADER_BYTES));
    }

    @Test
    void theReferenceNamesEveryFieldAndEveryReason() {
        Generation.getClassSchema().getFields().forEach(field -> {
            if (!"lane".equals(field.name())) {
                assertThat(RECORD).contains("`" + field.name() + "`");
            }
        });
        for (io.tailrace.schemas.RejectionReason reason : io.tailrace.schemas.RejectionReason.values()) {
            if (reason != io.tailrace.schemas.RejectionReason.UNKNOWN) {
                assertThat(RECORD).contains("`" + reason + "`");
            }
        }
        assertThat(RECORD).contains("| topic | `" + Topic.GENERATIONS.name("") + "`");
    }
}
