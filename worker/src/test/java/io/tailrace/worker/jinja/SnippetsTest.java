package io.tailrace.worker.jinja;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.core.type.TypeReference;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Snippets with what Python's Jinja makes of them; oracle.py beside them wrote that down. */
class SnippetsTest {
    private static final ObjectMapper JSON = new ObjectMapper();

    private record Recorded(Map<String, Object> context, List<Snippet> snippets) {}

    private record Snippet(String template, String text, String error) {
        @Override
        public String toString() {
            return template;
        }
    }

    private static Recorded recorded() throws IOException {
        return JSON.readValue(SnippetsTest.class.getResource("snippets.json"), new TypeReference<>() {});
    }

    static Stream<Snippet> snippets() throws IOException {
        return recorded().snippets.stream();
    }

    @ParameterizedTest
    @MethodSource("snippets")
    void asInPython(Snippet snippet) throws IOException {
        Map<String, Object> context = recorded().context;
        if (snippet.error == null) {
            assertThat(render(snippet.template, context)).isEqualTo(snippet.text);
        } else {
            assertThatThrownBy(() -> render(snippet.template, context))
                    .as(snippet.error)
                    .isInstanceOf(JinjaException.class)
                    .hasMessageStartingWith("line ");
        }
    }

    private static String render(String template, Map<String, Object> context) {
        return Template.parse(template).render(context, Map.of("strftime_now", pattern -> "26 Jul 2024"));
    }
}
