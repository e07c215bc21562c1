package io.tailrace.worker.smallmodel;

import static org.assertj.core.api.Assertions.assertThat;

import io.tailrace.worker.djl.DjlModels;
import io.tailrace.worker.model.ChatTemplate;
import io.tailrace.worker.model.LanguageModel;
import io.tailrace.worker.model.Logits;
import io.tailrace.worker.model.ModelOptions;
import io.tailrace.worker.model.ModelSequence;
import io.tailrace.worker.model.TreeInput;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What who serves it may rely on. */
class SmallLlamaTest {
    private static final int TOKENS = 60;

    @TempDir
    Path folder;

    @Test
    void itIsTheSameEachTime() throws IOException {
        Path first = folder.resolve("first");
        Path second = folder.resolve("second");
        SmallLlama.make(first);
        SmallLlama.make(second);
        for (String file : List.of("config.json", "model.safetensors", "tokenizer.json", "tokenizer_config.json")) {
            assertThat(second.resolve(file)).as(file).hasSameBinaryContentAs(first.resolve(file));
        }
    }

    @Test
    void itIsMadeOnceAndNothingElseLies() throws IOException {
        Path made = folder.resolve("models").resolve(SmallLlama.NAME);
        SmallLlama.make(made);
        Path noted = Files.writeString(made.resolve("config.json"), "mine");
        SmallLlama.make(made);
        assertThat(noted).hasContent("mine");
        try (Stream<Path> files = Files.list(made.getParent())) {
            assertThat(files).containsExactly(made);
        }
    }

    /** So an answer that is published by its text is the answer, and what speeds up the next one is not its own context. */
    @Test
    void answersDifferRepeatNothingAndTheirTextGivesTheirTokens() throws IOException {
        try (LanguageModel model = load()) {
            Set<String> texts = new HashSet<>();
            for (String prompt : List.of("Once upon a time", "Why is the sky blue?", "Grüße, 世界")) {
                int[] answer = answer(model, prompt);
                String text = model.tokenizer().decode(answer);
                assertThat(model.tokenizer().encode(text, false)).as(prompt).isEqualTo(answer);
                assertThat(text).matches("[a-z ]+");
                assertThat(repeatedThrees(answer)).as(text).isZero();
                texts.add(text);
            }
            assertThat(texts).hasSize(3);
        }
    }

    @Test
    void itHasChats() throws IOException {
        try (LanguageModel model = load()) {
            ChatTemplate template = model.chat().orElseThrow();
            assertThat(template.render(List.of(new ChatTemplate.Message("user", "Hello")), true))
                    .isEqualTo("user: Hello\nassistant:");
        }
    }

    private LanguageModel load() throws IOException {
        Path made = folder.resolve(SmallLlama.NAME);
        SmallLlama.make(made);
        return DjlModels.load(ModelOptions.of(made));
    }

    /** The likeliest tokens, one a pass. */
    private static int[] answer(LanguageModel model, String prompt) {
        int[] answer = new int[TOKENS];
        try (ModelSequence sequence = model.target().open()) {
            int[] next = model.tokenizer().encode(prompt, true);
            for (int at = 0; at < TOKENS; at++) {
                Logits logits = model.target().forward(List.of(TreeInput.line(sequence, next, next.length - 1)));
                answer[at] = logits.argmax(0, next.length - 1);
                sequence.commitAll();
                next = new int[] {answer[at]};
            }
        }
        return answer;
    }

    private static long repeatedThrees(int[] tokens) {
        Set<List<Integer>> seen = new HashSet<>();
        long repeated = 0;
        for (int at = 2; at < tokens.length; at++) {
            repeated += seen.add(List.of(tokens[at - 2], tokens[at - 1], tokens[at])) ? 0 : 1;
        }
        return repeated;
    }
}
