package io.tailrace.lab.bench.index;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.stream.Stream;
import java.util.zip.GZIPInputStream;

/**
 * Documents to measure with: seeded synthetic ones, or the responses of real requests.
 *
 * @param documents token ids, each document with at least two
 * @param prompts what each answers; none if that is not known of all
 */
public record Corpus(List<int[]> documents, List<int[]> prompts) {
    static final int VOCABULARY = 1 << 17;

    private static final String PROMPT = "\"prompt\":[";
    private static final String RESPONSE = "\"response\":[";
    private static final int FILE_DEPTH_MAX = 3;
    private static final double COPY_SHARE = 0.6;
    private static final int DOCUMENT_TOKENS_MEAN = 150;
    private static final int STRETCH_TOKENS_MEAN = 24;

    /** Tokens of all documents. */
    public long tokens() {
        return documents.stream().mapToLong(document -> document.length).sum();
    }

    /**
     * Answers of a made-up model: tokens with frequencies like words' (Zipf), and more than half of each document in
     * stretches copied from earlier ones.
     */
    public static Corpus synthetic(long tokens, long seed) {
        Random random = new Random(seed);
        List<int[]> documents = new ArrayList<>();
        for (long made = 0; made < tokens; ) {
            int length = (int) Math.min(2 + exponential(random, DOCUMENT_TOKENS_MEAN), Math.max(tokens - made, 2));
            documents.add(document(documents, length, random));
            made += length;
        }
        return new Corpus(documents, List.of());
    }

    private static int[] document(List<int[]> earlier, int length, Random random) {
        int[] document = new int[length];
        for (int at = 0; at < length; ) {
            int stretch = Math.min(1 + exponential(random, STRETCH_TOKENS_MEAN), length - at);
            if (!earlier.isEmpty() && random.nextDouble() < COPY_SHARE) {
                int[] source = earlier.get(random.nextInt(earlier.size()));
                int from = random.nextInt(source.length);
                stretch = Math.min(stretch, source.length - from);
                System.arraycopy(source, from, document, at, stretch);
            } else {
                for (int i = at; i < at + stretch; i++) {
                    document[i] = (int) Math.pow(VOCABULARY, random.nextDouble()) - 1;
                }
            }
            at += stretch;
        }
        return document;
    }

    private static int exponential(Random random, int mean) {
        return (int) (-mean * Math.log(1 - random.nextDouble()));
    }

    /**
     * Responses of the recorded requests in a folder ({@code *.jsonl.gz}, one JSON object a line with arrays {@code prompt} and {@code
     * response}), file after file, up to a number of tokens. If there are fewer, stretches of them are shuffled into new
     * documents until there are enough, so that a size can be measured that the recording does not have; they answer the head's prompt.
     */
    public static Corpus recorded(Path folder, long tokens) throws IOException {
        List<int[]> documents = new ArrayList<>();
        List<int[]> prompts = new ArrayList<>();
        long read = 0;
        try (Stream<Path> found = Files.walk(folder, FILE_DEPTH_MAX)) {
            for (Path file : found.filter(path -> path.toString().endsWith(".jsonl.gz"))
                    .sorted()
                    .toList()) {
                read += readInto(documents, prompts, file, tokens - read);
            }
        }
        if (documents.isEmpty()) {
            throw new IOException(folder + ": no *.jsonl.gz with responses in it; give the folder of the recordings");
        }
        stretch(documents, prompts, tokens - read);
        return new Corpus(documents, prompts);
    }

    private static long readInto(List<int[]> documents, List<int[]> prompts, Path file, long tokensMax)
            throws IOException {
        long read = 0;
        try (BufferedReader in = new BufferedReader(
                new InputStreamReader(new GZIPInputStream(Files.newInputStream(file)), StandardCharsets.UTF_8))) {
            for (String line = in.readLine(); line != null && read < tokensMax; line = in.readLine()) {
                int[] response = ids(line, line.lastIndexOf(RESPONSE), RESPONSE);
                if (response.length > 1) {
                    documents.add(response);
                    prompts.add(ids(line, line.indexOf(PROMPT), PROMPT));
                    read += response.length;
                }
            }
        }
        return read;
    }

    private static int[] ids(String line, int from, String key) {
        if (from < 0) {
            return new int[0];
        }
        String ids = line.substring(from + key.length(), line.indexOf(']', from));
        return ids.isBlank()
                ? new int[0]
                : Arrays.stream(ids.split(","))
                        .map(String::trim)
                        .mapToInt(Integer::parseInt)
                        .toArray();
    }

    private static void stretch(List<int[]> documents, List<int[]> prompts, long missing) {
        int recorded = documents.size();
        Random random = new Random(recorded);
        for (long left = missing; left > 0; ) {
            int of = random.nextInt(recorded);
            int[] head = documents.get(of);
            int[] tail = documents.get(random.nextInt(recorded));
            int headTokens = 1 + random.nextInt(head.length);
            int from = random.nextInt(tail.length);
            int[] joined = Arrays.copyOf(head, headTokens + tail.length - from);
            System.arraycopy(tail, from, joined, headTokens, tail.length - from);
            documents.add(joined);
            prompts.add(prompts.get(of));
            left -= joined.length;
        }
    }
}
