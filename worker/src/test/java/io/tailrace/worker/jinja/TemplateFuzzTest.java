package io.tailrace.worker.jinja;

import static org.assertj.core.api.Assertions.assertThat;

import com.code_intelligence.jazzer.junit.FuzzTest;
import io.tailrace.testkit.AllocationLimit;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import java.util.stream.LongStream;
import java.util.stream.Stream;
import org.junit.jupiter.params.provider.MethodSource;

/** Any text is read as a template, and renders, or is refused with a line. */
class TemplateFuzzTest {
    /** The lexer goes by regular expressions, at each of which a fuzzer's hooks allocate. */
    private static final int ALLOCATION_PARTS = 16;

    private static final Map<String, Object> NAMES = Map.of(
            "messages",
            List.of(
                    Map.of("role", "user", "content", "Who?"),
                    Map.of("role", "assistant", "content", List.of("a", 1, 2.5))),
            "s",
            "é😀 a",
            "n",
            3);

    static Stream<byte[]> seeds() {
        Stream<String> own = Stream.of(
                "{% for m in messages -%} {{ m['role'] ~ m.content[0] | upper }}\n{%+ endfor %}",
                "{% macro f(a, b=1) %}{{ f(a) if a else b }}{% endmacro %}{{ f(1, b=s) }}",
                "{%- set ns = namespace(x=31) %}{% set ns.x = 10.5e-3 / -2 * 3 %}{{ ns.x }}{#- # -#}",
                "{% raw -%} {{ {%- endraw +%}{{ '\\u00e9\\x41\\q' [::-1] }}{{ loop.index is not in [()] }}",
                "{{ '%.2f|%s|%%' | format(n, s) }}{{ '{a}{}' .format(s, a=n) }}{{ messages | tojson(indent=2) }}",
                "{% set a %}{{ s | indent(2) }}{% endset %}{% generation %}{{ a.rsplit(' ', 1) }}{% endgeneration %}");
        Stream<String> random = LongStream.range(0, 20).mapToObj(seed -> new RandomTemplates(seed).template());
        return Stream.concat(own, random).map(text -> text.getBytes(StandardCharsets.UTF_8));
    }

    @MethodSource("seeds")
    @FuzzTest
    void aTemplateRendersOrIsRefused(byte[] data) throws Exception {
        String source = new String(data, StandardCharsets.UTF_8);
        Template template;
        try {
            template = AllocationLimit.check(ALLOCATION_PARTS * data.length, () -> Template.parse(source));
        } catch (JinjaException refused) {
            assertThat(refused).hasMessageStartingWith("line ");
            return;
        }
        try {
            assertThat(template.render(NAMES, Map.of())).isNotNull();
        } catch (JinjaException refused) {
            assertThat(refused).hasMessageStartingWith("line ");
        }
    }
}
