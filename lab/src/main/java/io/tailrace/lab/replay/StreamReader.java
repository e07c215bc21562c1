package io.tailrace.lab.replay;

import io.tailrace.lab.recorded.RecordedInput;
import io.tailrace.lab.recorded.RecordedInputOptions;
import io.tailrace.lab.recorded.RecordedOrder;
import io.tailrace.lab.recorded.RecordedRequest;
import io.tailrace.lab.recorded.RecordedRequests;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Function;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/**
 * Reads recorded requests into streams. A response of one token leaves nothing to draft: its request is passed over, though it
 * counts as read.
 *
 * @param files opens one
 * @param requestsMax most requests of each stream, from its start
 */
public record StreamReader(Function<Path, RecordedRequests> files, long requestsMax) {
    private static final int RESPONSE_TOKENS_MIN = 2;

    /** A reader of token ids, for which the first bad line is an error. */
    public StreamReader(RecordedInputOptions options, long requestsMax) {
        this(file -> RecordedInput.strict(List.of(file), options), requestsMax);
    }

    /** Which request an order means. */
    private record Key(String workload, String id) {}

    /** The first requests of one file, in its order. */
    public ReplayStream file(Path file) {
        List<ReplayCase> cases = new ArrayList<>();
        Set<String> sessions = new HashSet<>();
        try (RecordedRequests input = files.apply(file)) {
            for (long read = 0; read < requestsMax && input.hasNext(); read++) {
                RecordedRequest request = input.next();
                add(request, null, cases);
                if (request.session() != null) {
                    sessions.add(request.session());
                }
            }
        }
        return new ReplayStream(nameOf(file), cases, sessions.size());
    }

    /** The first requests of an order, looked up in the files. */
    public ReplayStream ordered(Path orderFile, List<Path> inputs) {
        RecordedOrder order = RecordedOrder.read(orderFile, requestsMax);
        Map<Key, RecordedRequest> requests = new HashMap<>();
        order.entries().forEach(entry -> requests.put(new Key(entry.workload(), entry.id()), null));
        for (Path file : inputs) {
            try (RecordedRequests input = files.apply(file)) {
                while (input.hasNext()) {
                    RecordedRequest request = input.next();
                    requests.replace(new Key(request.workload(), request.id()), null, request);
                }
            }
        }
        List<ReplayCase> cases = new ArrayList<>();
        for (RecordedOrder.Entry entry : order.entries()) {
            RecordedRequest request = requests.get(new Key(entry.workload(), entry.id()));
            if (request == null) {
                throw RecordedOrder.notFound(entry);
            }
            add(request, entry.tenant(), cases);
        }
        return new ReplayStream(nameOf(orderFile), cases);
    }

    private static void add(RecordedRequest request, String scope, List<ReplayCase> cases) {
        if (request.response().length >= RESPONSE_TOKENS_MIN) {
            cases.add(new ReplayCase(
                    request.workload(),
                    scope == null ? request.scope() : scope,
                    request.prompt(),
                    request.response(),
                    false));
        }
    }

    private static String nameOf(Path file) {
        String name = String.valueOf(file.getFileName());
        int dot = name.indexOf('.', 1);
        return dot < 0 ? name : name.substring(0, dot);
    }

    /** Recorded requests, one workload a file. */
    public static final class Options {
        @Option(
                names = "--input",
                required = true,
                arity = "1..*",
                paramLabel = "FILE",
                description = "Recorded requests as JSON lines, plain or gzip; several or repeated, one workload each.")
        private List<Path> files;

        @Mixin
        private RecordedInputOptions.Vocabulary vocabulary = new RecordedInputOptions.Vocabulary();

        public List<Path> files() {
            return files;
        }

        /** Reads the first requests of a file. */
        public StreamReader reader(long requestsMax) {
            return new StreamReader(RecordedInputOptions.of(vocabulary.bound()), requestsMax);
        }

        /** The first requests of each file. */
        public List<ReplayStream> streams(long requestsMax) {
            StreamReader reader = reader(requestsMax);
            return files.stream().map(reader::file).toList();
        }
    }
}
