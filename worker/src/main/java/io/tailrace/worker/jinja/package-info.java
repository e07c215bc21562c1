/**
 * Jinja as chat templates are written in it, and no more: what Python's Jinja 3.1 does with the settings that Hugging Face's
 * transformers gives it. {@link io.tailrace.worker.jinja.Template} is a template that has been read; it renders any number of
 * conversations, in any number of threads.
 *
 * <pre>{@code
 * Template template = Template.parse("{% for m in messages %}{{ m.role }}: {{ m.content | trim }}\n{% endfor %}");
 * String prompt = template.render(Map.of("messages", List.of(Map.of("role", "user", "content", " Hello "))), Map.of());
 * }</pre>
 *
 * <p>The source is the <a href="https://jinja.palletsprojects.com/en/stable/templates/">Template Designer Documentation</a> of
 * Jinja 3.1; where that is silent, what Python prints. The settings are {@code trim_blocks}, {@code lstrip_blocks}, the loop
 * controls {@code break} and {@code continue}, the sandbox in which nothing changes a value, {@code raise_exception},
 * {@code tojson} as {@code json.dumps} without escapes for HTML or ASCII, and the block {@code generation}, which marks what a
 * model says and changes nothing.
 *
 * <p>Values are Python's: {@code null} is None, texts are counted in code points, numbers are whole or floating ones of 64 bits,
 * and printing, truth, order and equality follow. Nothing of Java can be reached from a template: attributes, methods, filters and
 * tests are tables of this package. Templates and values may be hostile: {@link io.tailrace.worker.jinja.Rendering} limits depth,
 * steps and characters, and {@link io.tailrace.worker.jinja.JinjaException} says where a limit was met.
 *
 * <p>What chat templates do not use is left out, and refused with its name and the words "for chat templates". The decision
 * about Jinja, docs/decisions/0022-jinja.md, lists it, and the two cases in which a text is otherwise than in Python: filter
 * {@code safe}, which changes nothing here, and a name that is set further down.
 */
package io.tailrace.worker.jinja;
