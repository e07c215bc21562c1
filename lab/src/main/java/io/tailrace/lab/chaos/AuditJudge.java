package io.tailrace.lab.chaos;

import com.fasterxml.jackson.core.type.TypeReference;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.tailrace.cli.Tailrace;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.Writer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import picocli.CommandLine;

/** {@code tailrace audit --deep} of a run, with the ids of all answers that somebody has whole. */
final class AuditJudge {
    private final Installation installation;
    private final Path ids;
    private final Path json;

    AuditJudge(Installation installation) {
        this.installation = installation;
        this.ids = installation.folders().root().resolve("told.ids");
        this.json = installation.folders().root().resolve("audit.json");
    }

    /** What the last audit found, as rows of {@code audit --json}; none where it could not be made. */
    List<Map<String, Object>> findings() throws IOException {
        return Files.exists(json)
                ? new ObjectMapper().readValue(json.toFile(), new TypeReference<List<Map<String, Object>>>() {})
                : List.of();
    }

    /** Audits once; true if every check holds, and is known to. */
    boolean green() throws IOException {
        Files.deleteIfExists(json);
        CommandLine tailrace = Tailrace.commandLine();
        tailrace.setOut(new PrintWriter(Writer.nullWriter()));
        tailrace.setErr(new PrintWriter(Writer.nullWriter()));
        int exit = tailrace.execute(
                "audit",
                "--bootstrap",
                installation.bootstrap(),
                "--store",
                installation.folders().segments().toUri().toString(),
                "--deep",
                "--ids",
                ids.toString(),
                "--json",
                json.toString());
        return exit == 0 && allIsKnown(findings());
    }

    /** Where all told ids are put together. */
    Path ids() {
        return ids;
    }

    /** But for check readable: what a {@link ManifestFault} wrote cannot be read, by the job and workers neither, and nobody takes it back. */
    static boolean allIsKnown(List<Map<String, Object>> findings) {
        return findings.stream()
                .filter(row -> !row.get("check").equals("readable"))
                .noneMatch(row -> row.get("result").equals("unknown"));
    }
}
