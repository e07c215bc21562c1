package io.tailrace.agent.command;

import io.tailrace.suffix.KeptOfPrompts;
import io.tailrace.suffix.PromptSignatures;
import io.tailrace.suffix.PromptTails;
import java.util.ArrayList;
import java.util.List;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.Option;
import picocli.CommandLine.TypeConversionException;

/** What a process keeps of the prompts that it has answered itself. */
final class PromptArguments {
    @Option(
            names = "--prompt-tail",
            hidden = true,
            converter = TailConverter.class,
            paramLabel = "[SCOPE=]TOKENS",
            description = "As the job's --prompt-tail, for answers that were given here and that no snapshot has yet."
                    + " Repeatable. Default: 3.")
    private List<String> tails = new ArrayList<>();

    @Option(
            names = "--prompt-signature",
            hidden = true,
            converter = SignatureConverter.class,
            paramLabel = "[SCOPE=]on|off",
            description = "As the job's --prompt-signature, for the same answers. Repeatable. Default: on.")
    private List<String> signatures = new ArrayList<>();

    KeptOfPrompts kept() {
        return KeptOfPrompts.parse(tails, signatures);
    }

    /** Checks {@code [SCOPE=]TOKENS}. */
    static final class TailConverter implements ITypeConverter<String> {
        @Override
        public String convert(String text) {
            try {
                PromptTails.parse(List.of(text));
                return text;
            } catch (IllegalArgumentException e) {
                throw new TypeConversionException(e.getMessage());
            }
        }
    }

    /** Checks {@code [SCOPE=]on|off}. */
    static final class SignatureConverter implements ITypeConverter<String> {
        @Override
        public String convert(String text) {
            try {
                PromptSignatures.parse(List.of(text));
                return text;
            } catch (IllegalArgumentException e) {
                throw new TypeConversionException(e.getMessage());
            }
        }
    }
}
