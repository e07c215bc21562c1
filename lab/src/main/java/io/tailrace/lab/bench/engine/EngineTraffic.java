package io.tailrace.lab.bench.engine;

import com.fasterxml.jackson.databind.ObjectMapper;
import io.tailrace.lab.recorded.RecordedInput;
import io.tailrace.lab.recorded.RecordedInputOptions;
import io.tailrace.lab.recorded.RecordedRequest;
import io.tailrace.terminal.BadInputException;
import java.io.BufferedWriter;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;

/**
 * The recorded requests of a run, by their numbers.
 *
 * <p>Of each workload the first are known before anything is served; those that follow are served. One of N replicas serves each N-th, of the ones
 * that are known as of the others.
 */
final class EngineTraffic {
    /** An answer of one token leaves nothing to draft. */
    private static final int ANSWER_TOKENS_MIN = 2;

    private static final int VOCABULARY_STEP = 128;

    private final List<Request> requests = new ArrayList<>();
    /** By workload, its first request's number and the one after its last. */
    private final Map<String, int[]> workloads = new LinkedHashMap<>();

    private int cut;

    /** What is asked, and what is answered. */
    record Request(String workload, int[] prompt, int[] response) {}

    /**
     * Reads as many of each file as are needed.
     *
     * @param promptTokensMax a longer prompt keeps its last tokens
     * @param answerTokensMax a longer answer keeps its first tokens
     */
    static EngineTraffic read(List<Path> inputs, int most, int promptTokensMax, int answerTokensMax) {
        EngineTraffic traffic = new EngineTraffic();
        RecordedInputOptions options =
                RecordedInputOptions.of(RecordedInputOptions.UNBOUNDED).withPromptTokensMax(promptTokensMax);
        for (Path input : inputs) {
            try (RecordedInput read = RecordedInput.strict(List.of(input), options)) {
                traffic.add(read, most, answerTokensMax);
            }
        }
        return traffic;
    }

    private void add(RecordedInput read, int most, int answerTokensMax) {
        int first = requests.size();
        String workload = null;
        while (read.hasNext() && requests.size() - first < most) {
            RecordedRequest request = read.next();
            if (request.response().length < ANSWER_TOKENS_MIN || request.prompt().length == 0) {
                continue;
            }
            workload = workload == null ? request.workload() : workload;
            boolean longer =
                    request.promptTokens() > request.prompt().length || request.response().length > answerTokensMax;
            cut += longer ? 1 : 0;
            requests.add(new Request(
                    workload,
                    request.prompt(),
                    request.response().length > answerTokensMax
                            ? Arrays.copyOf(request.response(), answerTokensMax)
                            : request.response()));
        }
        if (workload == null) {
            throw new BadInputException("an input has no request with a prompt and two tokens of answer");
        }
        if (workloads.put(workload, new int[] {first, requests.size()}) != null) {
            throw new BadInputException("two inputs have the workload '%s'; give each once".formatted(workload));
        }
    }

    List<String> workloads() {
        return List.copyOf(workloads.keySet());
    }

    Request request(int number) {
        return requests.get(number);
    }

    /** Requests that were shortened. */
    int cut() {
        return cut;
    }

    /** The first requests of a workload that one of so many replicas serves. */
    List<Integer> before(String workload, int count, int replicas) {
        int[] range = workloads.get(workload);
        return IntStream.range(range[0], Math.min(range[1], range[0] + count))
                .filter(number -> (number - range[0]) % replicas == 0)
                .boxed()
                .toList();
    }

    /** Those that the other replicas serve. */
    List<Integer> beforeElsewhere(String workload, int count, int replicas) {
        int[] range = workloads.get(workload);
        return IntStream.range(range[0], Math.min(range[1], range[0] + count))
                .filter(number -> (number - range[0]) % replicas != 0)
                .boxed()
                .toList();
    }

    /** The requests after the first ones that one of so many replicas serves, at most so many. */
    List<Integer> served(String workload, int before, int count, int replicas) {
        int[] range = workloads.get(workload);
        List<Integer> served = IntStream.range(range[0] + before, Math.max(range[0] + before, range[1]))
                .filter(number -> (number - range[0]) % replicas == 0)
                .limit(count)
                .boxed()
                .toList();
        if (served.isEmpty()) {
            throw new BadInputException(
                    "%s has %d requests, and %d of them are known before: give a smaller --before or a larger input"
                            .formatted(workload, range[1] - range[0], before));
        }
        return served;
    }

    /** What the other replicas answer while this one answers a request. */
    List<Integer> elsewhere(int number, int replicas) {
        int end = workloads.get(request(number).workload())[1];
        return IntStream.range(number + 1, Math.min(end, number + replicas))
                .boxed()
                .toList();
    }

    /** Token ids are below it. */
    int vocabulary() {
        int most = requests.stream()
                .mapToInt(request -> Math.max(max(request.prompt()), max(request.response())))
                .max()
                .orElseThrow();
        return (most / VOCABULARY_STEP + 1) * VOCABULARY_STEP;
    }

    /** The longest request. */
    int tokensMax() {
        return requests.stream()
                .mapToInt(request -> request.prompt().length + request.response().length)
                .max()
                .orElseThrow();
    }

    /** As JSON lines, in the order of their numbers. */
    void write(Path file) throws IOException {
        ObjectMapper mapper = new ObjectMapper();
        try (BufferedWriter out = Files.newBufferedWriter(file)) {
            for (Request request : requests) {
                out.write(mapper.writeValueAsString(request));
                out.newLine();
            }
        }
    }

    private static int max(int[] tokens) {
        return Arrays.stream(tokens).max().orElse(0);
    }
}
