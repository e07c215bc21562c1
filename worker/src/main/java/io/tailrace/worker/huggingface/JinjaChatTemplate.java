package io.tailrace.worker.huggingface;

import com.fasterxml.jackson.databind.JsonNode;
import com.hubspot.jinjava.Jinjava;
import com.hubspot.jinjava.JinjavaConfig;
import com.hubspot.jinjava.LegacyOverrides;
import com.hubspot.jinjava.el.JinjavaInterpreterResolver;
import com.hubspot.jinjava.interpret.RenderResult;
import com.hubspot.jinjava.interpret.TemplateError;
import com.hubspot.jinjava.lib.fn.ELFunctionDefinition;
import io.tailrace.worker.model.ChatTemplate;
import io.tailrace.worker.model.ModelLoadException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import jinjava.javax.el.CompositeELResolver;

/**
 * The chat template of a Hugging Face directory, in Jinja, rendered by Jinjava with the settings that their own library uses: the
 * newline after a block and the spaces before it go. What a message says is never read as a template.
 */
public final class JinjaChatTemplate implements ChatTemplate {
    private static final String FILE = "chat_template.jinja";
    private static final String CONFIG = "tokenizer_config.json";
    private static final String KEY = "chat_template";
    /** What Llama's own template takes where it knows no date. */
    private static final String DATE = "26 Jul 2024";

    private static final long OUTPUT_CHARS_MAX = 16L << 20;

    /** Jinja as Python has it, blocks that begin with a minus included, which the complete set of the library forgets. */
    private static final LegacyOverrides AS_IN_PYTHON = LegacyOverrides.Builder.from(LegacyOverrides.ALL)
            .withWhitespaceRequiredWithinTokens(false)
            .build();

    private final Jinjava jinja;
    private final String source;
    private final String beginToken;
    private final String endToken;

    JinjaChatTemplate(String source, String beginToken, String endToken) {
        this.source = PythonJinja.forJinjava(source);
        this.beginToken = beginToken;
        this.endToken = endToken;
        jinja = new Jinjava(JinjavaConfig.newBuilder()
                .withTrimBlocks(true)
                .withLstripBlocks(true)
                .withNestedInterpretationEnabled(false)
                .withMaxOutputSize(OUTPUT_CHARS_MAX)
                .withLegacyOverrides(AS_IN_PYTHON)
                .withElResolver(methods())
                .build());
        jinja.getGlobalContext().registerFilter(new PythonJson());
        jinja.getGlobalContext()
                .registerFunction(new ELFunctionDefinition(
                        "", "strftime_now", JinjaChatTemplate.class, "strftimeNow", String.class));
        jinja.getGlobalContext()
                .registerFunction(new ELFunctionDefinition(
                        "", "raise_exception", JinjaChatTemplate.class, "raiseException", String.class));
    }

    /** Python's methods first, then all that Jinjava itself finds. */
    private static CompositeELResolver methods() {
        CompositeELResolver methods = new CompositeELResolver();
        methods.add(new PythonMethods());
        methods.add(JinjavaInterpreterResolver.DEFAULT_RESOLVER_READ_ONLY);
        return methods;
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
        return source(directory, config(directory)).map(source -> of(source, directory));
    }

    /** A template with the begin and end tokens that a directory's tokenizer_config.json names, if there is one. */
    public static JinjaChatTemplate of(String source, Path directory) {
        JsonNode root = config(directory);
        return new JinjaChatTemplate(source, token(root, "bos_token"), token(root, "eos_token"));
    }

    private static JsonNode config(Path directory) {
        Path config = directory.resolve(CONFIG);
        return Files.exists(config) ? ModelConfigFile.readJson(config) : null;
    }

    private static Optional<String> source(Path directory, JsonNode config) {
        Path file = directory.resolve(FILE);
        if (Files.exists(file)) {
            try {
                return Optional.of(Files.readString(file));
            } catch (IOException e) {
                throw new ModelLoadException("%s cannot be read: %s".formatted(file, e.getMessage()), e);
            }
        }
        return config == null ? Optional.empty() : configured(config.path(KEY));
    }

    /** A text, or a list of named texts of which the one named default counts. */
    private static Optional<String> configured(JsonNode template) {
        for (JsonNode named : template) {
            if (named.path("name").asText().equals("default")) {
                return Optional.of(named.path("template").asText());
            }
        }
        return template.isTextual() ? Optional.of(template.asText()) : Optional.empty();
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
    public String render(List<ChatTemplate.Message> messages, boolean answerNext) {
        List<Map<String, Object>> turns = messages.stream()
                .map(message -> Map.<String, Object>of("role", message.role(), "content", message.content()))
                .toList();
        return render(turns, List.of(), answerNext);
    }

    /**
     * The prompt of messages as they stand in a call, tool calls and what else they have included.
     *
     * @param messages maps, lists and texts, as parsed from JSON
     * @param tools what the model may call; empty: the template hears of none
     * @throws IllegalArgumentException if the template refuses the conversation, with its own words
     */
    public String render(List<Map<String, Object>> messages, List<Object> tools, boolean answerNext) {
        Map<String, Object> context = new HashMap<>();
        context.put("messages", messages);
        context.put("add_generation_prompt", answerNext);
        context.put("bos_token", beginToken);
        context.put("eos_token", endToken);
        if (!tools.isEmpty()) {
            context.put("tools", tools);
        }
        RenderResult result = jinja.renderForResult(source, context);
        for (TemplateError error : result.getErrors()) {
            throw new IllegalArgumentException(
                    "the model's chat template refuses these messages: " + deepest(error), error.getException());
        }
        return result.getOutput();
    }

    private static String deepest(TemplateError error) {
        String message = error.getMessage();
        for (Throwable cause = error.getException(); cause != null; cause = cause.getCause()) {
            message = cause.getMessage() == null ? message : cause.getMessage();
        }
        return message;
    }

    /** What the model ends a turn with, as text; empty if that is not said. */
    public String endToken() {
        return endToken;
    }

    /** Called by templates that say the date. Always the same one: the day of a recorded call is not known. */
    public static String strftimeNow(String pattern) {
        return DATE;
    }

    /** Called by templates that do not want a conversation. */
    public static String raiseException(String message) {
        throw new IllegalArgumentException(message);
    }
}
