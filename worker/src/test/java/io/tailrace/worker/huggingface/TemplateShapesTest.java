package io.tailrace.worker.huggingface;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.core.type.TypeReference;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Templates in the shapes that published models have, with what Python's Jinja makes of them (jinja2 3.1, with the settings of Hugging Face's
 * library): a chat of four turns, and one with a tool that was called.
 */
class TemplateShapesTest {
    private static final ObjectMapper JSON = new ObjectMapper();

    private record Talk(List<Map<String, Object>> messages, List<Object> tools) {}

    @ParameterizedTest
    @ValueSource(
            strings = {
                "chatml-tools",
                "reversed-thinking",
                "headers-date-tools",
                "inst-tools",
                "macros",
                "generation",
                "schema-macros",
                "filtered-loops",
                "whitespace",
                "content-parts"
            })
    void aTemplateIsRenderedAsInPython(String shape) throws IOException {
        JinjaChatTemplate template = new JinjaChatTemplate(resource(shape + ".jinja"), "<s>", "</s>");
        List<String> rendered = new ArrayList<>();
        for (String line : resource("talks.jsonl").lines().toList()) {
            Talk talk = JSON.readValue(line, Talk.class);
            rendered.add(template.render(talk.messages, talk.tools == null ? List.of() : talk.tools, true));
        }
        assertThat(rendered).isEqualTo(JSON.readValue(resource(shape + ".json"), new TypeReference<List<String>>() {}));
    }

    private static String resource(String name) throws IOException {
        try (InputStream in = TemplateShapesTest.class.getResourceAsStream("templates/" + name)) {
            return new String(in.readAllBytes(), StandardCharsets.UTF_8);
        }
    }
}
