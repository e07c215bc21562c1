package io.tailrace.lab.logs;

import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import io.tailrace.lab.recorded.BrokenLineException;
import io.tailrace.lab.recorded.Packing;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HexFormat;
import java.util.Locale;
import java.util.regex.Pattern;

/** How the records of a file are laid out, told by how it begins. */
enum LogFile {
    JSON_LINES("JSON lines"),
    JSON("JSON"),
    CSV("CSV"),
    SEMICOLONS("CSV with semicolons"),
    TSV("tab-separated"),
    PARQUET("Parquet"),
    VLLM_LINES("log lines"),
    SGLANG_LINES("log lines");

    private static final int LOOKED_AT_BYTES = 1 << 18;
    private static final byte[] PARQUET_MAGIC = "PAR1".getBytes(StandardCharsets.US_ASCII);

    /** First bytes in hex. */
    private static final Pattern UTF_32 = Pattern.compile("0000feff|fffe0000|000000(?!00)..|(?!00)..000000");

    private static final Pattern UTF_16 = Pattern.compile("(feff|fffe).*|(00(?!00)..){2}|((?!00)..00){2}");

    private final String text;

    LogFile(String text) {
        this.text = text;
    }

    String text() {
        return text;
    }

    /** Whether an engine wrote it. */
    boolean isEngines() {
        return this == VLLM_LINES || this == SGLANG_LINES;
    }

    static LogFile of(Path file) throws IOException, BrokenLineException {
        try (InputStream in = Files.newInputStream(file)) {
            if (new String(in.readNBytes(PARQUET_MAGIC.length), StandardCharsets.US_ASCII)
                    .equals(new String(PARQUET_MAGIC, StandardCharsets.US_ASCII))) {
                return PARQUET;
            }
        }
        byte[] bytes;
        try (InputStream in = Packing.open(file)) {
            bytes = in.readNBytes(LOOKED_AT_BYTES);
        }
        UnreadFiles.refuse(bytes);
        refuseWide(bytes);
        String begin = new String(bytes, StandardCharsets.UTF_8).strip();
        LogFile engine = begin.startsWith("{") ? null : engine(begin);
        if (engine != null) {
            return engine;
        }
        UnreadEngines.refuse(begin);
        if (begin.isEmpty() || (begin.startsWith("{") && isLine(file))) {
            return JSON_LINES;
        }
        if (begin.startsWith("{") || begin.startsWith("[")) {
            return JSON;
        }
        if (begin.startsWith("data:") || begin.startsWith("event:")) {
            throw new BrokenLineException(
                    "an answer is logged whole",
                    "a stream of server-sent events",
                    "join the chunks of an answer before logging it, or log calls without stream");
        }
        return table(file, begin);
    }

    /** Text of two or four bytes a character is known by its mark, or by the zeros in its first characters. */
    private static void refuseWide(byte[] bytes) throws BrokenLineException {
        String begin = HexFormat.of().formatHex(bytes, 0, Math.min(bytes.length, 4));
        String encoding = UTF_32.matcher(begin).matches()
                ? "UTF-32"
                : UTF_16.matcher(begin).matches() ? "UTF-16" : null;
        if (encoding != null) {
            throw new BrokenLineException(
                    "a log is text in UTF-8",
                    encoding,
                    "write it anew in UTF-8, such as with iconv -f %s -t UTF-8".formatted(encoding));
        }
    }

    /** Whose log it is, by the first line of a request; null if there is none. */
    private static LogFile engine(String begin) {
        for (String line : (Iterable<String>) begin.lines()::iterator) {
            if (SglangRows.knows(line)) {
                return SGLANG_LINES;
            }
            if (VllmRows.knows(line)) {
                return VLLM_LINES;
            }
        }
        return null;
    }

    private static LogFile table(Path file, String begin) throws BrokenLineException {
        String head = begin.lines().findFirst().orElse("");
        UnreadFiles.refuseControls(head);
        if (head.indexOf('\t') >= 0) {
            return TSV;
        }
        if (count(head, ';') > count(head, ',')) {
            return SEMICOLONS;
        }
        if (head.indexOf(',') >= 0 || file.toString().toLowerCase(Locale.ROOT).contains(".csv")) {
            return CSV;
        }
        throw new BrokenLineException(
                "a log is JSON, CSV, Parquet, or vLLM's or SGLang's log of requests and answers",
                "something else",
                "start vLLM with --enable-log-requests --enable-log-outputs, SGLang with --log-requests"
                        + " --log-requests-level 3, or export JSON lines");
    }

    private static long count(String text, char wanted) {
        return text.chars().filter(one -> one == wanted).count();
    }

    /**
     * Whether the first value ends on the line where it begins, and is no page of several records; what is broken is taken for a line, and
     * will be said of it.
     */
    private static boolean isLine(Path file) throws IOException {
        try (InputStream in = Packing.open(file);
                JsonParser parser = JsonDocument.JSON.getFactory().createParser(in)) {
            parser.nextToken();
            int line = parser.currentTokenLocation().getLineNr();
            JsonNode first = parser.readValueAsTree();
            return parser.currentTokenLocation().getLineNr() == line && !JsonDocument.isPage(first);
        } catch (JsonProcessingException e) {
            return true;
        }
    }

    LogRows open(Path file) throws IOException, BrokenLineException {
        return switch (this) {
            case PARQUET -> new ParquetRows(file);
            case JSON_LINES -> new JsonLines(Packing.open(file));
            case JSON -> new JsonDocument(Packing.open(file));
            case CSV -> new CsvRows(Packing.open(file), ',');
            case SEMICOLONS -> new CsvRows(Packing.open(file), ';');
            case TSV -> new CsvRows(Packing.open(file), '\t');
            case VLLM_LINES -> new VllmRows(Packing.open(file));
            case SGLANG_LINES -> new SglangRows(Packing.open(file));
        };
    }
}
