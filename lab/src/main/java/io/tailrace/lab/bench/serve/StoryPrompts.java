package io.tailrace.lab.bench.serve;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.zip.GZIPInputStream;

/**
 * Prompts from a file of recorded requests (JSON lines with {@code prompt}, plain or gzip). Each story is asked for in variants:
 * the whole prompt, and the prompt without its last tokens, as different users word the same wish.
 */
public final class StoryPrompts {
    private static final int PROMPT_TOKENS_MIN = 4;

    private final List<int[]> stories;

    private StoryPrompts(List<int[]> stories) {
        this.stories = stories;
    }

    /** Reads a file. */
    public static StoryPrompts read(Path file) throws IOException {
        ObjectMapper json = new ObjectMapper();
        List<int[]> stories = new ArrayList<>();
        try (InputStream bytes = Files.newInputStream(file);
                InputStream plain = file.toString().endsWith(".gz") ? new GZIPInputStream(bytes) : bytes;
                BufferedReader lines = new BufferedReader(new InputStreamReader(plain, StandardCharsets.UTF_8))) {
            for (String line = lines.readLine(); line != null; line = lines.readLine()) {
                stories.add(ids(json.readTree(line).path("prompt")));
            }
        }
        if (stories.isEmpty()) {
            throw new IOException(file + " has no request");
        }
        return new StoryPrompts(stories);
    }

    /** Prompts that are there already. */
    public static StoryPrompts of(List<int[]> stories) {
        return new StoryPrompts(List.copyOf(stories));
    }

    public int stories() {
        return stories.size();
    }

    /** Some of the stories, each in so many variants; the first variants of all come before the second ones. */
    List<BenchPrompt> variants(int firstStory, int storyCount, int variants) {
        List<BenchPrompt> prompts = new ArrayList<>();
        for (int variant = 0; variant < variants; variant++) {
            for (int i = 0; i < storyCount; i++) {
                int[] story = stories.get((firstStory + i) % stories.size());
                int length = Math.max(Math.min(PROMPT_TOKENS_MIN, story.length), story.length - variant);
                prompts.add(new BenchPrompt(Arrays.copyOf(story, length), 1 + firstStory + prompts.size()));
            }
        }
        return prompts;
    }

    private static int[] ids(JsonNode prompt) throws IOException {
        int[] ids = new int[prompt.size()];
        for (int i = 0; i < ids.length; i++) {
            ids[i] = prompt.get(i).intValue();
        }
        if (ids.length == 0) {
            throw new IOException("a request must have a prompt of at least one token");
        }
        return ids;
    }
}
