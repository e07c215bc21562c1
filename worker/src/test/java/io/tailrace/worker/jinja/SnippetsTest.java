package io.tailrace.worker.jinja;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.io.InputStream;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Snippets with what Python's Jinja makes of them; oracle.py beside them wrote that down. */
class SnippetsTest {
    private static final ObjectMapper JSON = new ObjectMapper();

    private static Map<String, Object> context;

    /** What oracle.py wrote. */
    record Recorded(Map<String, Object> context, List<Snippet> snippets) {}

    /** A template and its text, or why Python refuses it. */
    record Snippet(String template, String text, String error) {
        @Override
        public String toString() {
            return template;
        }
    }

    /** Values and snippets. */
    static Recorded recorded() throws IOException {
        try (InputStream in = SnippetsTest.class.getResourceAsStream("snippets.json")) {
            return JSON.readValue(in, Recorded.class);
        }
    }

    static Stream<Snippet> snippets() throws IOException {
        return recorded().snippets.stream();
    }

    @BeforeAll
    static void readContext() throws IOException {
        context = recorded().context;
    }

    @ParameterizedTest
    @MethodSource("snippets")
    void asInPython(Snippet snippet) {
        if (snippet.error == null) {
            assertThat(render(snippet.template)).isEqualTo(snippet.text);
        } else {
            assertThatThrownBy(() -> render(snippet.template))
                    .as(snippet.error)
                    .isInstanceOf(JinjaException.class)
                    .hasMessageStartingWith("line ");
        }
    }

    private static String render(String template) {
        return Template.parse(template).render(context, Map.of("strftime_now", pattern -> "26 Jul 2024"));
    }
}
