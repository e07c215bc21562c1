package io.tailrace.lab.logs;

import io.tailrace.lab.recorded.BrokenLineException;
import java.util.HexFormat;
import java.util.regex.Pattern;

/** Files that are no text, told by their first bytes. */
enum UnreadFiles {
    ZIP("a zip archive", "504b(0304|0506).*"),
    BZIP2("bzip2", "425a68.*"),
    XZ("xz", "fd377a585a00.*"),
    SEVEN_ZIP("a 7z archive", "377abcaf271c.*"),
    LZ4("lz4", "04224d18.*"),
    TAR("a tar archive", "(..){257}7573746172.*"),
    SQLITE("an SQLite database", "53514c69746520666f726d61742033.*");

    private static final int LOOKED_AT_BYTES = 262;
    private static final String RULE = "a log is text, plain or in gzip or zstd, or Parquet";

    private final String kind;
    /** In hex. */
    private final Pattern begin;

    UnreadFiles(String kind, String begin) {
        this.kind = kind;
        this.begin = Pattern.compile(begin);
    }

    /**
     * Looks at a file's first bytes.
     *
     * @throws BrokenLineException if it is one of these
     */
    static void refuse(byte[] bytes) throws BrokenLineException {
        String hex = HexFormat.of().formatHex(bytes, 0, Math.min(bytes.length, LOOKED_AT_BYTES));
        for (UnreadFiles each : values()) {
            if (each.begin.matcher(hex).matches()) {
                String remedy = each == SQLITE ? "export its rows as JSON lines or CSV" : "unpack it";
                throw new BrokenLineException(RULE, each.kind, remedy);
            }
        }
    }

    /**
     * Looks at the first line of a table.
     *
     * @throws BrokenLineException if it has what no text has
     */
    static void refuseControls(String head) throws BrokenLineException {
        int control = head.chars()
                .filter(letter -> Character.isISOControl(letter) && letter != '\t')
                .findFirst()
                .orElse(-1);
        if (control >= 0) {
            throw new BrokenLineException(
                    RULE,
                    "the control character U+%04X in its first line".formatted(control),
                    "export it as JSON lines, CSV or Parquet, or remove what is no text");
        }
    }
}
