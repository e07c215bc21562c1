package io.tailrace.lab.logs;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.tailrace.lab.recorded.BrokenLineException;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.HashSet;
import java.util.Iterator;
import java.util.List;
import java.util.Set;
import org.apache.commons.csv.CSVException;
import org.apache.commons.csv.CSVFormat;
import org.apache.commons.csv.CSVParser;
import org.apache.commons.csv.CSVRecord;

/**
 * Rows under a head that names the columns, some of which may have no name, as an index that was exported; all values are text. Bytes that are no UTF-8
 * end it with a {@link java.nio.charset.CharacterCodingException}.
 */
final class CsvRows implements LogRows {
    private final CSVParser parser;
    private final Iterator<CSVRecord> rows;
    private long line = 1;

    /** @throws BrokenLineException if two columns have the same name */
    CsvRows(InputStream in, char separator) throws IOException, BrokenLineException {
        CSVFormat format = CSVFormat.DEFAULT
                .builder()
                .setDelimiter(separator)
                .setHeader()
                .setSkipHeaderRecord(true)
                .setAllowMissingColumnNames(true)
                .setIgnoreEmptyLines(true)
                .get();
        this.parser = CSVParser.builder()
                .setReader(new InputStreamReader(in, StandardCharsets.UTF_8.newDecoder()))
                .setFormat(format)
                .get();
        this.rows = parser.iterator();
        checkHead();
    }

    private void checkHead() throws IOException, BrokenLineException {
        Set<String> before = new HashSet<>();
        for (String name : columns()) {
            if (!name.isBlank() && !before.add(name)) {
                parser.close();
                throw new BrokenLineException(
                        "a head names each column once",
                        "'%s' twice".formatted(LogFields.shown(name)),
                        "rename or remove one of them");
            }
        }
    }

    @Override
    public LogRow next() throws IOException, BrokenLineException {
        try {
            line = parser.getCurrentLineNumber() + 1;
            return rows.hasNext() ? new LogRow(fields(rows.next()), line) : null;
        } catch (UncheckedIOException e) {
            if (!(e.getCause() instanceof CSVException)) {
                throw e.getCause();
            }
            throw new BrokenLineException(
                    "a row is CSV with quotes doubled",
                    "a quote that is not closed, or is followed by more than a separator",
                    "export the file again with quoted fields");
        }
    }

    private ObjectNode fields(CSVRecord row) throws BrokenLineException {
        int columns = parser.getHeaderNames().size();
        if (row.size() != columns) {
            throw new BrokenLineException(
                    "a row has as many fields as the head has names (%d)".formatted(columns),
                    String.valueOf(row.size()),
                    "quote fields that hold the separator or line breaks");
        }
        ObjectNode fields = JsonLines.JSON.createObjectNode();
        row.toMap().forEach(fields::put);
        return fields;
    }

    @Override
    public List<String> columns() {
        return parser.getHeaderNames();
    }

    @Override
    public long line() {
        return line;
    }

    @Override
    public void close() throws IOException {
        parser.close();
    }
}
