package io.tailrace.worker.djl;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** A small pretrained model that may lie beside the repository, with what it says to some prompts by another engine. */
final class TinyStories {
    private static final Path PLACE = Path.of("shared", "models", "tinystories-656k");

    private TinyStories() {}

    /**
     * One prompt and its recorded greedy answer.
     *
     * @param output at most 384 tokens
     */
    record Story(int[] prompt, int[] output) {}

    /** The model's directory, searched for upwards from here. */
    static Optional<Path> find() {
        for (Path at = Path.of("").toAbsolutePath(); at != null; at = at.getParent()) {
            if (Files.isRegularFile(at.resolve(PLACE).resolve("config.json"))) {
                return Optional.of(at.resolve(PLACE));
            }
        }
        System.out.printf(
                "NOT RUN: %s is in no folder above this one; tests with a pretrained model are skipped%n", PLACE);
        return Optional.empty();
    }

    static List<Story> stories(Path directory) throws IOException {
        List<Story> stories = new ArrayList<>();
        for (String line : Files.readAllLines(directory.resolve("greedy.jsonl"))) {
            JsonNode story = new ObjectMapper().readTree(line);
            stories.add(new Story(tokens(story.get("prompt")), tokens(story.get("output"))));
        }
        return stories;
    }

    private static int[] tokens(JsonNode list) {
        int[] tokens = new int[list.size()];
        for (int place = 0; place < tokens.length; place++) {
            tokens[place] = list.get(place).intValue();
        }
        return tokens;
    }
}
