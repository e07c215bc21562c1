package io.tailrace.lab.traffic;

import com.fasterxml.jackson.databind.ObjectMapper;
import io.tailrace.lab.recorded.RecordedRequest;
import io.tailrace.terminal.Bounds;
import io.tailrace.terminal.ExitCodes;
import io.tailrace.terminal.JsonFile;
import java.io.BufferedWriter;
import java.io.IOException;
import java.io.OutputStreamWriter;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.zip.GZIPOutputStream;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** {@code tailrace traffic}: synthetic traffic as a file that {@code load --input} reads. */
@Command(
        name = "traffic",
        mixinStandardHelpOptions = true,
        sortOptions = false,
        description =
                "Writes synthetic requests as gzipped JSON lines, for load --input. A file that is there is left as it is.")
public final class TrafficCommand implements Callable<Integer> {
    @Parameters(paramLabel = "FILE", description = "File to write, e.g. requests.jsonl.gz.")
    private Path file;

    @Bounds(min = 1)
    @Option(
            names = "--requests",
            defaultValue = "1200",
            paramLabel = "N",
            description = "Requests; the traffic shifts after half of them. Default: ${DEFAULT-VALUE}.")
    private int requests;

    @Option(names = "--seed", defaultValue = "42", paramLabel = "N", description = "Seed. Default: ${DEFAULT-VALUE}.")
    private long seed;

    @Option(
            names = "--id-prefix",
            defaultValue = "",
            paramLabel = "TEXT",
            description = "Stands before every request id, so that files for several workers differ. Default: none.")
    private String idPrefix;

    @Spec
    private CommandSpec spec;

    @Override
    public Integer call() throws Exception {
        if (Files.exists(file)) {
            spec.commandLine().getOut().println(file + " is there");
            return ExitCodes.DONE;
        }
        JsonFile.check("FILE", file);
        Path aside = file.resolveSibling(file.getFileName() + ".part");
        write(aside);
        Files.move(aside, file);
        spec.commandLine()
                .getOut()
                .println("%s: %,d synthetic requests, vocabulary %d"
                        .formatted(file, requests, SyntheticTraffic.VOCABULARY_SIZE));
        return ExitCodes.DONE;
    }

    private void write(Path target) throws IOException {
        ObjectMapper json = new ObjectMapper();
        SyntheticTraffic traffic = new SyntheticTraffic(seed, requests);
        try (BufferedWriter lines = new BufferedWriter(
                new OutputStreamWriter(new GZIPOutputStream(Files.newOutputStream(target)), StandardCharsets.UTF_8))) {
            while (traffic.hasNext()) {
                lines.write(json.writeValueAsString(line(traffic.next())));
                lines.write('\n');
            }
        }
    }

    /** The prompt is written in full, so the line needs no parent. */
    private Map<String, Object> line(RecordedRequest request) {
        Map<String, Object> line = new LinkedHashMap<>();
        line.put("id", idPrefix + request.id());
        line.put("scope", request.scope());
        line.put("workload", request.workload());
        line.put("prompt", request.prompt());
        line.put("response", request.response());
        return line;
    }
}
