package io.tailrace.worker.huggingface;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.databind.ObjectMapper;
import io.tailrace.worker.model.ChatTemplate;
import io.tailrace.worker.model.ModelLoadException;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.LocalDateTime;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class JinjaChatTemplateTest {
    private static final List<ChatTemplate.Message> TALK = List.of(
            new ChatTemplate.Message("system", "Be brief."),
            new ChatTemplate.Message("user", " Who is {{ bos_token }}? {% if x %} "),
            new ChatTemplate.Message("assistant", "Nobody."),
            new ChatTemplate.Message("user", "Why?\n"));

    @TempDir
    Path folder;

    @Test
    void chatMl() {
        String template = """
                {% for message in messages %}
                {{ '<|im_start|>' + message['role'] + '\\n' + message['content'] + '<|im_end|>' + '\\n' }}
                {% endfor %}
                {% if add_generation_prompt %}
                {{ '<|im_start|>assistant\\n' }}
                {% endif %}
                """;
        assertThat(render(template.replace("\n{{", "{{").replace("}}\n", "}}"), TALK))
                .isEqualTo("""
                        <|im_start|>system
                        Be brief.<|im_end|>
                        <|im_start|>user
                         Who is {{ bos_token }}? {% if x %} <|im_end|>
                        <|im_start|>assistant
                        Nobody.<|im_end|>
                        <|im_start|>user
                        Why?
                        <|im_end|>
                        <|im_start|>assistant
                        """);
    }

    @Test
    void headersWithTrimmedContentAndABeginTokenAtTheFirst() {
        String template = "{% set turns = messages %}{% for message in turns %}"
                + "{% set content = '<|head|>' + message['role'] + '<|/head|>\\n\\n'+ message['content'] | trim + '<|eot|>' %}"
                + "{% if loop.index0 == 0 %}{% set content = bos_token + content %}{% endif %}{{ content }}{% endfor %}"
                + "{% if add_generation_prompt %}{{ '<|head|>assistant<|/head|>\\n\\n' }}{% endif %}";
        assertThat(render(template, TALK.subList(0, 2)))
                .isEqualTo(
                        "<s><|head|>system<|/head|>\n\nBe brief.<|eot|>"
                                + "<|head|>user<|/head|>\n\nWho is {{ bos_token }}? {% if x %}<|eot|><|head|>assistant<|/head|>\n\n");
    }

    @Test
    void aSystemTurnCutOffTheListAndFoldedIntoTheFirstQuestion() {
        String template = """
                {%- if messages[0]['role'] == 'system' -%}
                    {%- set system = messages[0]['content'] | trim + '\\n\\n' -%}
                    {%- set turns = messages[1:] -%}
                {%- else -%}
                    {%- set system = '' -%}
                    {%- set turns = messages -%}
                {%- endif -%}
                {%- for message in turns -%}
                    {%- if (message['role'] == 'user') != (loop.index0 % 2 == 0) -%}
                        {{- raise_exception('Roles must alternate user/assistant/user/assistant/...') -}}
                    {%- endif -%}
                    {%- if message['role'] == 'user' -%}
                        {{- '[INST] ' + (system if loop.first else '') + message.content.strip() + ' [/INST]' -}}
                    {%- else -%}
                        {{- ' ' + message['content'] + eos_token -}}
                    {%- endif -%}
                {%- endfor -%}
                """;
        assertThat(render(template, TALK))
                .isEqualTo(
                        "[INST] Be brief.\n\nWho is {{ bos_token }}? {% if x %} [/INST] Nobody.</s>[INST] Why? [/INST]");
        assertThatThrownBy(() -> render(template, TALK.subList(2, 4)))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("Roles must alternate");
    }

    @Test
    void namespacesAndTestsForDefinedNames() {
        String template = """
                {%- set ns = namespace(found=false) -%}
                {%- for message in messages -%}
                    {%- if message.role == 'assistant' and not ns.found -%}
                        {%- set ns.found = true -%}
                        {{- message.content -}}
                    {%- endif -%}
                {%- endfor -%}
                {%- if tools is defined and tools is not none -%}tools{%- endif -%}
                {%- if not date_string is defined -%}{%- set date_string = '26 Jul 2024' -%}{%- endif -%}
                {{- ' ' + date_string -}}
                """;
        assertThat(render(template, TALK)).isEqualTo("Nobody. 26 Jul 2024");
    }

    /** As the engine writes it that answers now; of a recorded call the day is not known. */
    @Test
    void theDateIsThatOfTheCall() {
        JinjaChatTemplate template = new JinjaChatTemplate(
                "{{ strftime_now('%d %b %Y') }} {{ strftime_now(\"%A, %-d %B %Y, %H:%M %p %%\") }}", "<s>", "</s>");
        assertThat(template.render(TALK, true, LocalDateTime.of(2026, 3, 5, 7, 9, 11, 13)))
                .isEqualTo("05 Mar 2026 Thursday, 5 March 2026, 07:09 AM %");
        assertThat(template.render(List.of(), List.of(), true)).isEqualTo("26 Jul 2024 26 Jul 2024");
        assertThatThrownBy(() -> render("{{ strftime_now('%Q') }}", TALK))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("\"%Q\"");
        assertThatThrownBy(() -> render("{{ strftime_now('%-') }}", TALK)).isInstanceOf(IllegalArgumentException.class);
    }

    @Test
    void theTemplateComesFromItsOwnFileOrFromTheConfiguration() throws IOException {
        assertThat(JinjaChatTemplate.read(folder)).isEmpty();
        write("tokenizer_config.json", Map.of("bos_token", "<s>"));
        assertThat(JinjaChatTemplate.read(folder)).isEmpty();
        Object named = List.of(
                Map.of("name", "tool_use", "template", "tools"),
                Map.of("name", "default", "template", "{{ bos_token }}!"));
        write("tokenizer_config.json", Map.of("bos_token", Map.of("content", "<b>"), "chat_template", named));
        assertThat(JinjaChatTemplate.read(folder).orElseThrow().render(TALK, true))
                .isEqualTo("<b>!");
        Files.writeString(folder.resolve("chat_template.jinja"), "{{ messages[0].role }}");
        assertThat(JinjaChatTemplate.read(folder).orElseThrow().render(TALK, true))
                .isEqualTo("system");
    }

    @Test
    void aTemplateNamedForToolsIsTakenWhereToolsAreGiven() throws IOException {
        Object named = List.of(
                Map.of("name", "default", "template", "plain {{ tools is none }} {{ documents is none }}"),
                Map.of("name", "tool_use", "template", "with {{ tools | length }}"));
        write("tokenizer_config.json", Map.of("chat_template", named));
        JinjaChatTemplate template = JinjaChatTemplate.find(folder).orElseThrow();
        assertThat(template.render(List.of(), List.of(), true)).isEqualTo("plain True True");
        assertThat(template.render(List.of(), List.of(Map.of("name", "look")), true))
                .isEqualTo("with 1");
        Files.writeString(folder.resolve("chat_template.jinja"), "file");
        Files.createDirectory(folder.resolve("additional_chat_templates"));
        Files.writeString(folder.resolve("additional_chat_templates/tool_use.jinja"), "file with {{ tools | length }}");
        JinjaChatTemplate files = JinjaChatTemplate.find(folder).orElseThrow();
        assertThat(files.render(List.of(), List.of(), true)).isEqualTo("file");
        assertThat(files.render(List.of(), List.of(1, 2), true)).isEqualTo("file with 2");
    }

    @Test
    void whatIsNoTemplateIsRefusedWhenItIsRead() throws IOException {
        Files.writeString(folder.resolve("chat_template.jinja"), "a\n{% for m of messages %}");
        assertThatThrownBy(() -> JinjaChatTemplate.read(folder))
                .isInstanceOf(ModelLoadException.class)
                .hasMessageContaining("chat_template.jinja")
                .hasMessageContaining("line 2: expected 'in', got 'of'");
    }

    @Test
    void aTemplateThatWasGivenIsNamedWhereItCannotBeRead() throws IOException {
        Path given = folder.resolve("given.jinja");
        assertThatThrownBy(() -> JinjaChatTemplate.of(given, folder))
                .hasMessage(given + ": a chat template is a readable file, got no such file; check the path");
        assertThatThrownBy(() -> JinjaChatTemplate.of(folder, folder)).hasMessageContaining("got something else");
        Files.write(given, "Gr\u00fc\u00dfe".getBytes(StandardCharsets.ISO_8859_1));
        assertThatThrownBy(() -> JinjaChatTemplate.of(given, folder))
                .hasMessageStartingWith(
                        given + ": a chat template is text in UTF-8, got bytes that are none; write it anew");
        Files.writeString(given, "{% if");
        assertThatThrownBy(() -> JinjaChatTemplate.of(given, folder))
                .hasMessageStartingWith(given + ": the chat template cannot be read: line 1");
    }

    @Test
    void whatDoesNotRenderIsRefusedWithItsLine() {
        assertThatThrownBy(() -> render("a\n{{ nothing.at_all }}", TALK))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("'nothing' is undefined (line 2)");
    }

    private void write(String name, Object content) throws IOException {
        Files.writeString(folder.resolve(name), new ObjectMapper().writeValueAsString(content));
    }

    private static String render(String template, List<ChatTemplate.Message> messages) {
        return new JinjaChatTemplate(template, "<s>", "</s>").render(messages, true);
    }
}
