package io.tailrace.worker.djl;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.tailrace.testkit.llama.PretrainedModel;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** A small pretrained model that may lie beside the repository, with what it says to some prompts by another engine. */
final class TinyStories {
    private TinyStories() {}

    /**
     * One prompt and its recorded greedy answer.
     *
     * @param output at most 384 tokens
     */
    record Story(int[] prompt, int[] output) {}

    /** The model's directory. */
    static Optional<Path> find() {
        return PretrainedModel.find();
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
