package io.tailrace.worker.huggingface;

import com.hubspot.jinjava.Jinjava;
import com.hubspot.jinjava.JinjavaConfig;
import com.hubspot.jinjava.LegacyOverrides;
import com.hubspot.jinjava.interpret.RenderResult;
import com.hubspot.jinjava.interpret.TemplateError;
import com.hubspot.jinjava.lib.fn.ELFunctionDefinition;
import io.tailrace.worker.model.ChatMessage;
import io.tailrace.worker.model.ChatTemplate;
import java.util.List;
import java.util.Map;

/**
 * A Jinja template as Hugging Face models carry it, rendered by Jinjava with the settings that their own library uses: the
 * newline after a block and the spaces before it go. What a message says is never read as a template.
 */
final class JinjaChatTemplate implements ChatTemplate {
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
        this.source = source;
        this.beginToken = beginToken;
        this.endToken = endToken;
        jinja = new Jinjava(JinjavaConfig.newBuilder()
                .withTrimBlocks(true)
                .withLstripBlocks(true)
                .withNestedInterpretationEnabled(false)
                .withMaxOutputSize(OUTPUT_CHARS_MAX)
                .withLegacyOverrides(AS_IN_PYTHON)
                .build());
        jinja.getGlobalContext()
                .registerFunction(new ELFunctionDefinition(
                        "", "raise_exception", JinjaChatTemplate.class, "raiseException", String.class));
    }

    @Override
    public String render(List<ChatMessage> messages, boolean answerNext) {
        List<Map<String, String>> turns = messages.stream()
                .map(message -> Map.of("role", message.role(), "content", message.content()))
                .toList();
        RenderResult result = jinja.renderForResult(
                source,
                Map.of(
                        "messages", turns,
                        "add_generation_prompt", answerNext,
                        "bos_token", beginToken,
                        "eos_token", endToken));
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

    /** Called by templates that do not want a conversation. */
    public static String raiseException(String message) {
        throw new IllegalArgumentException(message);
    }
}
