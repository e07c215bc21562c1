package io.tailrace.worker.huggingface;

import com.fasterxml.jackson.databind.JsonNode;
import io.tailrace.worker.jinja.JinjaException;
import io.tailrace.worker.jinja.Template;
import io.tailrace.worker.model.ChatTemplate;
import io.tailrace.worker.model.ModelLoadException;
import java.io.IOException;
import java.nio.charset.CharacterCodingException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.LocalDateTime;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.UnaryOperator;

/**
 * The chat template of a Hugging Face directory, in Jinja, rendered as transformers renders it. What a message says is never read as a
 * template.
 */
public final class JinjaChatTemplate implements ChatTemplate {
    private static final String FILE = "chat_template.jinja";
    private static final String FILE_WITH_TOOLS = "additional_chat_templates/tool_use.jinja";
    private static final String CONFIG = "tokenizer_config.json";
    private static final String KEY = "chat_template";
    private static final String DEFAULT = "default";
    private static final String WITH_TOOLS = "tool_use";
    /** What Llama's own template takes where it knows no date; the day of a recorded call is not known. */
    private static final String DATE_UNKNOWN = "26 Jul 2024";

    private final Template plain;
    /** Null: the same. */
    private final Template withTools;

    private final String beginToken;
    private final String endToken;

    JinjaChatTemplate(String source, String beginToken, String endToken) {
        this(Template.parse(source), null, beginToken, endToken);
    }

    private JinjaChatTemplate(Template plain, Template withTools, String beginToken, String endToken) {
        this.plain = plain;
        this.withTools = withTools;
        this.beginToken = beginToken;
        this.endToken = endToken;
    }

    /**
     * The template of a directory, in chat_template.jinja or in tokenizer_config.json, if it has one: a model without one completes texts, but
     * does not chat.
     */
    public static Optional<ChatTemplate> read(Path directory) {
        return find(directory).map(template -> template);
    }

    /** The same, for who has tool calls to spell out, too. */
    public static Optional<JinjaChatTemplate> find(Path directory) {
        JsonNode config = config(directory);
        Path file = directory.resolve(FILE);
        if (Files.exists(file)) {
            Map<String, String> sources = new HashMap<>(Map.of(DEFAULT, text(file)));
            Path tools = directory.resolve(FILE_WITH_TOOLS);
            if (Files.exists(tools)) {
                sources.put(WITH_TOOLS, text(tools));
            }
            return Optional.of(of(sources, file, config));
        }
        Map<String, String> sources = config == null ? Map.of() : configured(config.path(KEY));
        return sources.isEmpty() ? Optional.empty() : Optional.of(of(sources, directory.resolve(CONFIG), config));
    }

    /**
     * The template of a file with the begin and end tokens that a directory's tokenizer_config.json names, if there is one.
     *
     * @throws ModelLoadException if the file cannot be read, or is no template
     */
    public static JinjaChatTemplate of(Path file, Path directory) {
        return of(Map.of(DEFAULT, text(file)), file, config(directory));
    }

    /** By name; the one for tools counts where tools are given. */
    private static JinjaChatTemplate of(Map<String, String> sources, Path place, JsonNode config) {
        Template tools = sources.containsKey(WITH_TOOLS) ? parse(sources.get(WITH_TOOLS), place) : null;
        Template plain = parse(sources.get(DEFAULT), place);
        return new JinjaChatTemplate(plain, tools, token(config, "bos_token"), token(config, "eos_token"));
    }

    private static Template parse(String source, Path place) {
        try {
            return Template.parse(source);
        } catch (JinjaException e) {
            throw new ModelLoadException(
                    "%s: the chat template cannot be read: %s; mend it, or give another (--chat-template FILE)"
                            .formatted(place, e.getMessage()),
                    e);
        }
    }

    private static JsonNode config(Path directory) {
        Path config = directory.resolve(CONFIG);
        return Files.exists(config) ? ModelConfigFile.readJson(config) : null;
    }

    private static String text(Path file) {
        try {
            return Files.readString(file);
        } catch (CharacterCodingException e) {
            throw new ModelLoadException(
                    ("%s: a chat template is text in UTF-8, got bytes that are none; write it anew in UTF-8,"
                                    + " such as with iconv -f WINDOWS-1252 -t UTF-8")
                            .formatted(file),
                    e);
        } catch (IOException e) {
            throw new ModelLoadException(
                    "%s: a chat template is a readable file, got %s; check the path"
                            .formatted(file, Files.exists(file) ? "something else" : "no such file"),
                    e);
        }
    }

    /** A text, or a list of named texts; none without a default one. */
    private static Map<String, String> configured(JsonNode template) {
        if (template.isTextual()) {
            return Map.of(DEFAULT, template.asText());
        }
        Map<String, String> named = new HashMap<>();
        for (JsonNode each : template) {
            named.putIfAbsent(each.path("name").asText(), each.path("template").asText());
        }
        return named.containsKey(DEFAULT) ? named : Map.of();
    }

    /** A special token is a text, or an object with its text as content. */
    private static String token(JsonNode config, String key) {
        JsonNode token = config == null ? null : config.path(key);
        if (token == null) {
            return "";
        }
        return token.isObject() ? token.path("content").asText("") : token.asText("");
    }

    @Override
    public String render(List<ChatTemplate.Message> messages, boolean answerNext, LocalDateTime now) {
        List<Map<String, Object>> turns = messages.stream()
                .map(message -> Map.<String, Object>of("role", message.role(), "content", message.content()))
                .toList();
        return render(turns, List.of(), answerNext, pattern -> Strftime.format(pattern, now));
    }

    /**
     * The prompt of messages as they stand in a recorded call, tool calls and what else they have included. The day of the call is not known.
     *
     * @param messages maps, lists and texts, as parsed from JSON
     * @param tools what the model may call; empty: the template hears of none
     * @throws IllegalArgumentException if the template refuses the conversation, with its own words
     */
    public String render(List<Map<String, Object>> messages, List<Object> tools, boolean answerNext) {
        return render(messages, tools, answerNext, pattern -> DATE_UNKNOWN);
    }

    private String render(
            List<Map<String, Object>> messages, List<Object> tools, boolean answerNext, UnaryOperator<String> date) {
        Map<String, Object> context = new HashMap<>();
        context.put("messages", messages);
        context.put("add_generation_prompt", answerNext);
        context.put("bos_token", beginToken);
        context.put("eos_token", endToken);
        context.put("tools", tools.isEmpty() ? null : tools);
        context.put("documents", null);
        try {
            return (tools.isEmpty() || withTools == null ? plain : withTools)
                    .render(context, Map.of("strftime_now", date));
        } catch (JinjaException e) {
            throw new IllegalArgumentException(
                    "the model's chat template refuses these messages: " + e.words() + where(e), e);
        }
    }

    private static String where(JinjaException e) {
        return e.line() == 0 ? "" : " (line %d)".formatted(e.line());
    }

    /** What the model ends a turn with, as text; empty if that is not said. */
    public String endToken() {
        return endToken;
    }
}
