package io.tailrace.worker.jinja;

import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.UnaryOperator;

/** A template that has been read. It does not change, and any number of threads may render it. */
public final class Template {
    private final List<Statement> body;

    private Template(List<Statement> body) {
        this.body = body;
    }

    /**
     * Reads a template.
     *
     * @throws JinjaException if it is no template, with the line that is wrong
     */
    public static Template parse(String source) {
        return new Template(new Parser(new Tokens(Lexer.tokens(source))).template());
    }

    /**
     * What the template makes of some values.
     *
     * @param names null, texts, numbers, truths, lists and maps; they are copied
     * @param functions what the template may call with a text, to get a text
     * @throws JinjaException if it does not render with them, takes more than it may, or refuses them with words of its own
     */
    public String render(Map<String, ?> names, Map<String, UnaryOperator<String>> functions) {
        Map<String, Object> values = new HashMap<>();
        names.forEach((name, value) -> values.put(name, Values.of(value)));
        Map<String, Object> globals = new HashMap<>(Globals.ALL);
        functions.forEach((name, function) -> globals.put(name, Globals.ofText(name, function)));
        Rendering rendering = new Rendering(values, globals);
        try {
            rendering.body(body);
        } catch (JinjaException e) {
            throw e.at(rendering.line());
        } catch (StackOverflowError e) {
            throw new JinjaException("the template lies deeper than the thread's stack", rendering.line());
        }
        return rendering.output();
    }
}
