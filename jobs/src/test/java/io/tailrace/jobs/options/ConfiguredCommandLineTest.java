package io.tailrace.jobs.options;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.tailrace.terminal.ConfiguredCommandLine;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import picocli.CommandLine.ParameterException;

final class ConfiguredCommandLineTest {
    @TempDir
    private Path folder;

    private IndexJobOptions parse(String... arguments) {
        List<String> all = new ArrayList<>(List.of(arguments));
        all.add("--config=" + file());
        return IndexJobOptions.parse(all.toArray(String[]::new));
    }

    private Path file() {
        return folder.resolve("job.properties");
    }

    private void write(String... lines) throws IOException {
        Files.write(file(), List.of(lines));
    }

    @Test
    void aFileGivesOptionsThatMustBeThereToo() throws IOException {
        write("# ours", "bootstrap = broker:9092", "store=file:///var/tailrace", "model=m@1,vocabulary=9,tokenizer=t");
        IndexJobOptions options = parse("--shards", "4");
        assertThat(options.kafka().bootstrap()).isEqualTo("broker:9092");
        assertThat(options.admission().shards()).isEqualTo(4);
    }

    @Test
    void theCommandLineWins() throws IOException {
        write(
                "bootstrap=a:1",
                "store=file:///x",
                "model=m@1,vocabulary=9,tokenizer=t",
                "shards=2",
                "announce-millis=7");
        IndexJobOptions options = parse("--shards=4", "--bootstrap", "b:2");
        assertThat(options.admission().shards()).isEqualTo(4);
        assertThat(options.kafka().bootstrap()).isEqualTo("b:2");
        assertThat(options.publishing().announceMillis()).isEqualTo(7);
    }

    @Test
    void severalValuesOfAnOptionHaveKeysOfTheirOwn() throws IOException {
        write(
                "bootstrap=a:1",
                "store=file:///x",
                "model.1=m@1,vocabulary=9,tokenizer=t",
                "model.2=n@1,vocabulary=9,tokenizer=t",
                "keep-rejected-bytes=true",
                "client-property.security.protocol=SSL");
        IndexJobOptions options = parse();
        assertThat(options.models().identity("n@1/s")).isNotNull();
        assertThat(options.admission().keepBytes()).isTrue();
        assertThat(options.kafka().clientProperties()).containsEntry("security.protocol", "SSL");
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "announce-milli=5 | job.properties:2: 'announce-milli' is no option of tailrace-job; the nearest is 'announce-millis'",
                "announce-millis=0 | job.properties:2: --announce-millis must be at least 1, got 0",
                "announce-millis=many | job.properties:2: Invalid value for option '--announce-millis'",
                "bootstrap=b:1 | 'bootstrap' is given twice"
            })
    void whatIsWrongInAFileIsNamedByFileAndLine(String line, String message) throws IOException {
        write("bootstrap=a:1", line, "store=file:///x", "model=m@1,vocabulary=9,tokenizer=t");
        assertThatThrownBy(this::parse)
                .isInstanceOf(ParameterException.class)
                .hasMessageContaining(file().toString())
                .hasMessageContaining(message);
    }

    @Test
    void aMissingFileIsNamed() {
        assertThatThrownBy(this::parse)
                .isInstanceOf(ParameterException.class)
                .hasMessage("--config: there is no file " + file());
    }

    @Test
    void rareOptionsAreNotInTheHelp() {
        assertThat(IndexJobOptions.usage())
                .contains("--bootstrap", "--config", ConfiguredCommandLine.REFERENCE)
                .doesNotContain("--duplicate-hashes-max");
    }
}
