package io.tailrace.worker.jinja;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Templates and values that want too much are refused, with words, before they have it. */
class HostileTemplatesTest {
    private static final String DOUBLED =
            "{% set ns = namespace(x='ab') %}{% for i in range(99) %}{% set ns.x = ns.x ~ ns.x %}{% endfor %}";
    private static final String NESTED =
            "{% set ns = namespace(x=[]) %}{% for i in range(9999) %}{% set ns.x = [ns.x] %}{% endfor %}";
    private static final String WIDE =
            "{% set ns = namespace(x=[1]) %}{% for i in range(60) %}{% set ns.x = [ns.x, ns.x] %}{% endfor %}";

    @ParameterizedTest
    @ValueSource(
            strings = {
                "{% macro f() %}{{ f() }}{% endmacro %}{{ f() }}",
                "{% macro f(n) %}{{ f(n) ~ f(n) }}{% endmacro %}{{ f(1) }}",
                "{% macro f(x=f()) %}{% endmacro %}{{ f() }}",
                "{% for i in range(1000000000) %}{% endfor %}",
                "{{ range(1000000000000) }}",
                "{% for i in range(99999) %}{% for j in range(99999) %}{% endfor %}{% endfor %}",
                "{% for i in range(99999) %}{% for j in range(99999) if false %}{% endfor %}{% endfor %}",
                "{% for i in range(9999) %}{{ 'a' * 9999 }}{% endfor %}",
                "{{ 'a' * 1000000000 }}",
                "{{ 'a' * 9223372036854775807 }}",
                "{{ 9223372036854775807 + 1 }}",
                "{{ -9223372036854775807 - 2 }}",
                "{{ 1e308 * 10 }}",
                "{{ '9999999999999999999'|int }}",
                "{% set ns = namespace(x=9) %}{% for i in range(99) %}{% set ns.x = ns.x * ns.x %}{% endfor %}",
                "{{ 'a'|indent(1000000000) }}",
                "{{ [1]|tojson(indent=1000000000) }}",
                "{{ ('a' * 9999).replace('a', 'b' * 9999) }}",
                "{{ ('b' * 9999).join(range(9999)|map('string')) }}",
                "{{ range(9999)|join('b' * 9999) }}",
                "{{ range(9999)|map('replace', '1', 'b' * 9999)|list|tojson }}",
                DOUBLED,
                NESTED + "{{ ns.x }}",
                NESTED + "{{ ns.x|tojson }}",
                NESTED + "{% set y = ns.x %}" + NESTED + "{{ ns.x == y }}",
                WIDE + "{{ ns.x }}",
                WIDE + "{% set y = ns.x %}" + WIDE + "{{ ns.x == y }}",
            })
    void takesTooMuch(String template) {
        Template read = Template.parse(template);
        assertThatThrownBy(() -> read.render(Map.of(), Map.of()))
                .isInstanceOf(JinjaException.class)
                .hasMessageMatching("(?s)line \\d+: .*(more than|deeper|too large|too wide|at most|small).*");
    }

    @ParameterizedTest
    @ValueSource(strings = {"9223372036854775808", "6E66666", "1.5e999"})
    void aNumberThatIsWrittenTooLargeIsRefusedWithItsLine(String number) {
        assertThatThrownBy(() -> Template.parse("\n{{ " + number + " }}"))
                .isInstanceOf(JinjaException.class)
                .hasMessage("line 2: a number is too large for chat templates");
    }

    @ParameterizedTest
    @ValueSource(strings = {"(", "[", "{1:", "-", "not ", "a(", "a[", "[a if ", "x|f("})
    void liesTooDeep(String opening) {
        for (int times : new int[] {101, 100_000}) {
            assertThatThrownBy(() -> Template.parse("{{ " + opening.repeat(times)))
                    .isInstanceOf(JinjaException.class)
                    .hasMessageContaining("line 1: ");
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"{% if a %}", "{% for a in b %}", "{% set a %}", "{% macro a() %}", "{% generation %}"})
    void blocksLieTooDeep(String opening) {
        assertThatThrownBy(() -> Template.parse(opening.repeat(100_000)))
                .isInstanceOf(JinjaException.class)
                .hasMessageContaining("lie in each other");
    }

    @ParameterizedTest
    @ValueSource(strings = {" + a", "|f", ".a", "[a]", "()", " and a", " or a", " * a", " if a"})
    void aRowIsTooLong(String next) {
        assertThatThrownBy(() -> Template.parse("{{ a" + next.repeat(100_000) + " }}"))
                .isInstanceOf(JinjaException.class)
                .hasMessageContaining("in a row");
    }

    @Test
    void rowsInBracketsAreRefusedWhenTheyAreRendered() {
        String deep = "a";
        for (int i = 0; i < 20; i++) {
            deep = "(" + deep + " ~ 'a' + 'b'".repeat(90) + ")";
        }
        Template template = Template.parse("{{ " + deep + " }}");
        assertThatThrownBy(() -> template.render(Map.of("a", "x"), Map.of()))
                .isInstanceOf(JinjaException.class)
                .hasMessageContaining("deeper");
    }

    @Test
    void valuesThatLieTooDeep() {
        Object deep = "x";
        for (int i = 0; i < 10_000; i++) {
            deep = List.of(deep);
        }
        Object value = deep;
        assertThatThrownBy(() -> Template.parse("").render(Map.of("a", value), Map.of()))
                .isInstanceOf(JinjaException.class)
                .hasMessageContaining("deeper");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "{{ ''.__class__ }}",
                "{{ x.getClass }}",
                "{{ x['class'] }}",
                "{{ [].class }}",
                "{{ x.bytes }}",
                "{{ {}.entrySet }}",
                "{{ loop.statement }}",
                "{{ namespace().names }}",
                "{{ (1).toString }}"
            })
    void nothingOfJavaIsThere(String template) {
        Map<String, Object> names = new HashMap<>(Map.of("x", "text", "loop", new ArrayList<>()));
        assertThat(Template.parse(template).render(names, Map.of())).isEmpty();
    }

    @Test
    void onlyPlainValuesAreTaken() {
        assertThatThrownBy(() -> Template.parse("").render(Map.of("a", new Object()), Map.of()))
                .isInstanceOf(JinjaException.class)
                .hasMessageContaining("takes no Object");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "include 'a'",
                "import 'a' as b",
                "from 'a' import b",
                "extends 'a'",
                "block a",
                "autoescape true",
                "call(x) f()",
                "filter upper",
                "with a = 1"
            })
    void whatChatTemplatesDoNotNeedIsRefusedByName(String tag) {
        assertThatThrownBy(() -> Template.parse("\n{% " + tag + " %}"))
                .isInstanceOf(JinjaException.class)
                .hasMessage("line 2: '%s' is not for chat templates".formatted(tag.replaceAll("\\W.*", "")));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "{% for i in [1] recursive %}{% endfor %}",
                "{% for (i, j) in [] %}{% endfor %}",
                "{% set a | upper %}{% endset %}",
                "{% macro f() %}{{ varargs }}{% endmacro %}",
                "{{ f(*[1]) }}",
                "{{ f(**{}) }}",
                "{{ 2 ** 3 }}",
                "{{ 1.5 // 1 }}",
                "{{ 1.5 % 1 }}",
                "{{ [1] * 2 }}",
                "{{ [1] < [2] }}",
                "{{ 0x1f }}",
                "{{ 1_000 }}",
                "{{ 99999999999999999999 }}",
                "{{ '1_000'|int }}",
                "{{ 'inf'|float }}",
                "{{ '\\101' }}",
                "{{ '\\N{BULLET}' }}",
                "{{ 'a'|center }}",
                "{{ 1 is divisibleby 1 }}",
                "{{ 'a'.zfill(3) }}",
                "{{ [1].index(1) }}",
                "{{ 'a'.replace('', 'b') }}",
                "{{ 'a'.find('a', 1) }}",
                "{{ '%05d' % 1 }}",
                "{{ '{0}'.format(1) }}",
                "{{ {true: 1} }}",
                "{{ range(3) }}",
                "{{ range(3)[1:] }}",
                "{{ {}.items() }}",
                "{{ {}.keys() == {}.keys() }}",
                "{{ dict([('a', 1)]) }}",
                "{{ [{}]|sort(attribute='a,b') }}",
                "{% for i in [1] %}{{ loop.changed(i) }}{% endfor %}",
            })
    void whatIsLeftOutIsNeverRenderedOtherwise(String template) {
        assertThatThrownBy(() -> Template.parse(template).render(Map.of(), Map.of()))
                .isInstanceOf(JinjaException.class)
                .hasMessageMatching("line 1: .* for chat templates.*");
    }
}
