package io.tailrace.lab.logs;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.tailrace.lab.recorded.RecordedInputException;
import io.tailrace.lab.recorded.RecordedRequest;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.Charset;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.HashMap;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import org.apache.parquet.hadoop.metadata.CompressionCodecName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/** What a log is written in: encodings, compressions, JSON, tables; and what is none of them. */
class LogFilesTest extends LogReading {
    /** The line would be the first one always. */
    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '`',
            value = {
                "{'from':'whale'}]}] | record 2: from is human, gpt, system or tool, got whale",
                "{'from':'gpt'] | record 2: a file is JSON to its end, got no JSON at line 1, column"
            })
    void recordsOfAnArrayAreNamedByTheirNumber(String end, String message) throws IOException {
        String log = "[{'conversations':[{'from':'human','value':'a'}]},{'conversations':[" + end;
        Path file = write("array.json", log.replace('\'', '"'));
        assertThatThrownBy(() -> strict(file)).hasMessageStartingWith("%s, %s", file, message);
    }

    @Test
    void requestsOfAnArrayThatHaveNoIdAreNamedByTheirNumber() throws IOException {
        String log = "[{'prompt':'a','completion':'b'},{'prompt':'a','completion':'b'}]";
        assertThat(read(logs(), write("bare.json", log.replace('\'', '"'))))
                .extracting(RecordedRequest::id)
                .containsExactly("bare:1", "bare:2");
    }

    /** Cut off where the layout is still to be told, and far behind it. */
    @ParameterizedTest
    @CsvSource({
        "cut.jsonl.gz, 1",
        "cut.jsonl.zst, 1",
        "cut.json.gz, 1",
        "cut.csv.gz, 1",
        "long.jsonl.gz, 20000",
        "long.jsonl.zst, 20000"
    })
    void aCompressedLogThatIsCutOffIsNamedWithWhatToDo(String name, int times) throws IOException {
        String log = name.contains("csv")
                ? LogExamples.csv()
                : name.contains("json.") ? LogExamples.shareGpt() : LogExamples.openai();
        Path file = write(name, log.repeat(times));
        byte[] whole = Files.readAllBytes(file);
        Files.write(file, Arrays.copyOf(whole, whole.length / 2));
        assertThatThrownBy(() -> strict(file))
                .hasMessageContaining(file.toString())
                .hasMessageContaining("an input is readable to its end")
                .hasMessageContaining("copy, export or compress it again");
    }

    /** As some programs write UTF-8. */
    @ParameterizedTest
    @ValueSource(strings = {"marked.jsonl", "marked.jsonl.gz", "marked.json", "marked.csv"})
    void aMarkBeforeUtf8IsPassedOver(String name) throws IOException {
        String log = name.endsWith(".csv")
                ? LogExamples.csv().replace("question,reply", "prompt,response")
                : name.endsWith(".json") ? LogExamples.shareGpt() : LogExamples.openai();
        assertBoth(read(logs(), write(name, "\ufeff" + log)));
    }

    @Test
    void aMarkBeforeTokenIdsIsPassedOver() throws IOException {
        assertThat(read(logs(), write("marked-ids.jsonl", "\ufeff{\"id\":\"a\",\"response\":[1,2]}\n")))
                .singleElement()
                .extracting(RecordedRequest::id)
                .isEqualTo("a");
    }

    /** As a spreadsheet may export it. */
    @ParameterizedTest
    @ValueSource(ints = {1, 5_000})
    void aTableInAnOldEncodingIsRefused(int rowsBefore) throws IOException {
        String table = "prompt,response\n" + "Rain?,Yes.\n".repeat(rowsBefore) + "R\u00fcgen?,Ja.\n";
        Path file = Files.write(folder.resolve("old.csv"), table.getBytes(Charset.forName("windows-1252")));
        assertThatThrownBy(() -> strict(file))
                .hasMessageContaining(file.toString())
                .hasMessageContaining(
                        "a log is text in UTF-8, got bytes that are none, in the next 8 KiB; write it anew in UTF-8");
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '`',
            value = {
                "{'prompt':'Is it?','completion':'R\u00fcgen'} | at column",
                "[{'prompt':'Is it?','completion':'R\u00fcgen'}] | at line 1",
                "{'id':'a','response':[1],'workload':'R\u00fcgen'} | at column"
            })
    void jsonInAnOldEncodingIsRefused(String log, String where) throws IOException {
        byte[] bytes = log.replace('\'', '"').getBytes(StandardCharsets.ISO_8859_1);
        Path file = Files.write(folder.resolve("old.jsonl"), bytes);
        assertThatThrownBy(() -> strict(file))
                .hasMessageContaining("a log is text in UTF-8, got bytes that are none %s", where)
                .hasMessageContaining("; write it anew in UTF-8, such as with iconv");
    }

    @ParameterizedTest
    @ValueSource(strings = {"UTF-16", "UTF-16LE", "UTF-16BE", "UTF-32", "UTF-32LE", "UTF-32BE"})
    void anotherEncodingThanUtf8IsRefusedByName(String encoding) throws IOException {
        for (String mark : List.of("", "\ufeff")) {
            byte[] bytes = (mark + LogExamples.openai()).getBytes(Charset.forName(encoding));
            Path file = Files.write(folder.resolve("wide.jsonl"), bytes);
            assertThatThrownBy(() -> strict(file))
                    .hasMessageContaining(
                            "a log is text in UTF-8, got %s; write it anew", encoding.substring(0, "UTF-16".length()));
        }
    }

    /** What stands where names should may be anything that somebody asked. */
    @Test
    void aLongNameIsNotShownWhole() throws IOException {
        Path file = write("head.csv", "Will it rain? ".repeat(20) + ",b\n1,2\n");
        assertThatThrownBy(() -> strict(file))
                .hasMessageContaining("fields [Will it rain? Will it rain? Will it rain..., b]");
    }

    @Test
    void aTerminalIsNotSentWhatALogHolds() throws IOException {
        Path file = write("escapes.jsonl", "{\"\\u001b[31mred\\u0007\\u009b\\u202e\":1}");
        assertThatThrownBy(() -> strict(file)).hasMessageContaining("got fields [?[31mred???];");
    }

    @ParameterizedTest
    @CsvSource({
        "504b0304140000000800 2c2c, a zip archive; unpack it",
        "425a6839314159265359 2c2c, bzip2; unpack it",
        "fd377a585a000004 2c2c, xz; unpack it",
        "377abcaf271c0004 2c2c, a 7z archive; unpack it",
        "04224d1864a7 2c2c, lz4; unpack it",
        "53514c69746520666f726d6174203300 2c2c, an SQLite database; export its rows",
        "1b5b316d 70726f6d70742c726573706f6e7365, the control character U+001B in its first line; export it",
        "0000000000 7b7d2c7b7d, the control character U+0000 in its first line; export it"
    })
    void whatIsNoTextIsRefusedByName(String hex, String got) throws IOException {
        Path file =
                Files.write(folder.resolve("binary.csv"), HexFormat.of().parseHex(hex.replace(" ", "") + "0a312c320a"));
        assertThatThrownBy(() -> strict(file))
                .hasMessageStartingWith("%s: a log is text, plain or in gzip or zstd, or Parquet, got %s", file, got);
    }

    @Test
    void anArchiveWithinGzipIsRefusedByName() throws IOException {
        Path file = write("log.tar.gz", "a".repeat(100) + "\0".repeat(157) + "ustar\0" + "00");
        assertThatThrownBy(() -> strict(file)).hasMessageContaining("got a tar archive; unpack it");
    }

    @Test
    void aParquetFileThatIsNoneIsNamed() throws IOException {
        Path file = write("none.parquet", "PAR1 and something else");
        assertThatThrownBy(() -> strict(file))
                .hasMessage(file + ": a file that begins like Parquet is Parquet to its end, got no Parquet that can be"
                        + " read; copy or export it again");
    }

    @ParameterizedTest
    @EnumSource(
            value = CompressionCodecName.class,
            names = {"UNCOMPRESSED", "SNAPPY", "ZSTD", "LZ4_RAW"})
    void parquetOfCodecsThatTheLibraryHas(CompressionCodecName codec) throws IOException {
        Path file = folder.resolve(codec + ".parquet");
        LogExamples.parquet(file, "messages", "completion", codec);
        assertBoth(read(logs(), file));
    }

    /** Written by pyarrow. */
    @Test
    void parquetInGzip() throws IOException {
        assertBoth(read(logs(), resource("gzip.parquet")));
    }

    /** Written by pyarrow. */
    @Test
    void parquetInACodecThatIsNotReadIsRefusedWithARemedy() throws IOException {
        Path file = resource("brotli.parquet");
        assertThatThrownBy(() -> strict(file))
                .hasMessage(file + ": a Parquet file is compressed with snappy, gzip, zstd or lz4, or not at all, got"
                        + " brotli; write it anew with one of these");
    }

    private static Path resource(String name) throws IOException {
        try (InputStream in = LogFormatsTest.class.getResourceAsStream(name)) {
            return Files.write(folder.resolve(name), in.readAllBytes());
        }
    }

    @Test
    void aQuoteThatIsNotClosedIsNamed() throws IOException {
        Path file = write("half.csv", "prompt,response\n\"a,b\nc,d\n");
        assertThatThrownBy(() -> strict(file))
                .hasMessageStartingWith(file + ":2: a row is CSV with quotes doubled, got a quote that is not closed");
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "[\n"})
    void whatNestsTooDeepIsNamed(String before) throws IOException {
        Path file = write("deep.jsonl", before + "{\"messages\":" + "[".repeat(2_000) + "]".repeat(2_000) + "}");
        assertThatThrownBy(() -> strict(file))
                .hasMessageContaining("got JSON over a limit: Document nesting depth (1")
                .hasMessageContaining("exceeds the maximum allowed (1");
    }

    @Test
    void aValueOverTheLimitIsNamedWithTheLimit() throws IOException {
        String good = "{\"prompt\":\"a\",\"completion\":\"b\"}\n";
        Path file = write("long.jsonl", good + "{\"prompt\":\"" + "a".repeat(20_000_001) + "\",\"completion\":\"b\"}");
        assertThatThrownBy(() -> strict(file)).hasMessageContaining("exceeds the maximum allowed (20000000)");
    }

    @Test
    void columnsThatAreNamed() throws IOException {
        Path file = write("table.csv", LogExamples.csv());
        assertThatThrownBy(() -> strict(file))
                .hasMessageContaining(file + ":2")
                .hasMessageContaining("[id, question, reply]")
                .hasMessageContaining("--columns");
        Logs named = new Logs(null, Map.of("prompt", "question", "response", "reply"), known());
        assertBoth(read(named, file));
    }

    /** Else requests of two tenants would draft from each other. */
    @ParameterizedTest
    @ValueSource(strings = {"scope", "time", "response"})
    void aNamedColumnThatATableLacksIsRefusedWithThoseThatItHas(String what) throws IOException {
        Path parquet = folder.resolve("lacking-%s.parquet".formatted(what));
        LogExamples.parquet(parquet);
        String head = "[id, question, reply]";
        assertLacks(what, write("lacking.csv", LogExamples.csv()), head);
        assertLacks(what, write("lacking.tsv", LogExamples.tsv()), head);
        assertLacks(what, write("head.csv", "id,question,reply\n"), head);
        assertLacks(what, parquet, "[id, messages, completion]");
        assertLacks(
                what,
                write("lacking.jsonl", "{'question':'a'}\n{'reply':'b'}\n".replace('\'', '"')),
                "[question, reply]");
    }

    private void assertLacks(String what, Path file, String names) {
        Map<String, String> columns = new HashMap<>(Map.of("prompt", "question", "response", "reply"));
        if (file.toString().endsWith("parquet")) {
            columns = new HashMap<>(Map.of("prompt", "messages", "response", "completion"));
        }
        columns.put(what, "tennant");
        Logs named = new Logs(null, columns, known());
        assertThatThrownBy(() -> read(named, file))
                .hasMessage(
                        "%s: a file has the columns that --columns names, got none of the name tennant; name one that it has: %s",
                        file, names);
    }

    /** Records of JSON leave out fields that are not set. */
    @Test
    void aNamedFieldThatOnlyLaterRecordsHaveIsFound() throws IOException {
        Logs named = new Logs(null, Map.of("prompt", "q", "response", "a", "scope", "who"), known());
        Path file = write("sparse.jsonl", "{'q':'a','a':'b'}\n{'q':'a','a':'b','who':'x'}\n".replace('\'', '"'));
        assertThat(read(named, file)).extracting(RecordedRequest::scope).containsExactly("default", "x");
    }

    @ParameterizedTest
    @CsvSource({"prompt, true", "'', false"})
    void aHeadThatNamesAColumnTwiceIsRefused(String twice, boolean refused) throws IOException {
        Path file = write("twice.csv", "%s,%1$s,prompt1,response\na,b,c,d\n".formatted(twice));
        Logs named = new Logs(null, Map.of("prompt", "prompt1"), known());
        if (refused) {
            assertThatThrownBy(() -> strict(named, file))
                    .hasMessage(
                            "%s: a head names each column once, got 'prompt' twice; rename or remove one of them",
                            file);
        } else {
            assertThat(read(named, file)).hasSize(1);
        }
    }

    @Test
    void aTableWithoutRowsHoldsNoRequests() throws IOException {
        assertThat(read(logs(), write("head.csv", "prompt,response\n"))).isEmpty();
        assertThat(read(logs(), write("none.json", "[]"))).isEmpty();
        assertThat(bad).isEmpty();
        assertThat(told)
                .containsExactly(
                        folder.resolve("head.csv") + ": columns, CSV; 0 requests",
                        folder.resolve("none.json") + ": columns, JSON; 0 requests");
    }

    @Test
    void tablesAreSortedByTimesAndDates() throws IOException {
        Path file = write(
                "timed.csv",
                "prompt,response,id,at\nq,a,third,2024-01-02 00:00:01\nq,a,first,2024-01-01\nq,a,second,2024-01-02\n");
        assertThat(read(new Logs(null, Map.of("time", "at"), known()), file))
                .extracting(RecordedRequest::id)
                .containsExactly("first", "second", "third");
        assertThat(told).singleElement().asString().endsWith("; 3 requests");
    }

    @Test
    void timesThatCannotBeReadAreToldWithTheFirst() throws IOException {
        Path file = write("untimed.csv", "prompt,response,id,at\nq,a,x,20\nq,a,y,noon\nq,a,z,\n");
        assertThat(read(new Logs(null, Map.of("time", "at"), known()), file))
                .extracting(RecordedRequest::id)
                .containsExactly("x", "y", "z");
        assertThat(told)
                .singleElement()
                .asString()
                .endsWith("3 requests, not sorted (times that are missing or cannot be read: 2; first: line 3)");
    }

    /** As spreadsheets export where a comma is in numbers. */
    @Test
    void semicolonsBetweenColumns() throws IOException {
        Logs named = new Logs(null, Map.of("prompt", "question", "response", "reply"), known());
        assertBoth(read(named, write("table.csv", LogExamples.tsv().replace('\t', ';'))));
        assertThat(told).singleElement().asString().contains("CSV with semicolons");
    }

    /** As data frames are exported with their index. */
    @Test
    void columnsWithoutANameAreLeftAlone() throws IOException {
        StringBuilder indexed = new StringBuilder();
        for (String line : LogExamples.csv().lines().toList()) {
            indexed.append(indexed.isEmpty() ? ",, " : "7,8, 9")
                    .append(',')
                    .append(line)
                    .append('\n');
        }
        Logs named = new Logs(null, Map.of("prompt", "question", "response", "reply"), known());
        assertBoth(read(named, write("indexed.csv", indexed.toString())));
    }

    @Test
    void parquetWithListsOfMessages() throws IOException {
        Path file = folder.resolve("rows.parquet");
        LogExamples.parquet(file);
        List<RecordedRequest> rows = read(logs(), file);
        assertBoth(rows);
        assertThat(rows).extracting(RecordedRequest::id).containsExactly("p1", "p2");
        assertThat(told).singleElement().asString().contains("columns, Parquet; 2 requests");
    }

    @Test
    void aLineThatIsBrokenIsNamedOrPassedOver() throws IOException {
        Path file = write(
                "broken.jsonl",
                "{\"request\":\n" + LogExamples.openai() + "{\"request\":{\"messages\":[{}]},\"response\":{}}\n");
        assertThatThrownBy(() -> strict(file)).hasMessageContaining(file + ":1").hasMessageContaining("JSON object");
        assertBoth(read(logs(), file));
        assertThat(bad).extracting(RecordedInputException::line).containsExactly(1L, 4L);
    }
}
