package io.tailrace.jobs.options;

import static io.tailrace.operators.Preconditions.require;

import io.tailrace.operators.admission.ModelSpec;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.TypeConversionException;

/** Reads {@code NAME@REVISION,vocabulary=N,tokenizer=FINGERPRINT}. */
public final class ModelConverter implements ITypeConverter<ModelSpec> {
    public static final String FORM = "NAME@REVISION,vocabulary=N,tokenizer=FINGERPRINT";

    @Override
    public ModelSpec convert(String text) {
        try {
            return parse(text);
        } catch (IllegalArgumentException e) {
            throw new TypeConversionException("'%s' is no model (%s): %s".formatted(text, FORM, e.getMessage()));
        }
    }

    private static ModelSpec parse(String text) {
        String[] parts = text.split(",", -1);
        int at = parts[0].lastIndexOf('@');
        require(at > 0, "name and revision are separated by @");
        Integer vocabulary = null;
        String tokenizer = null;
        for (int i = 1; i < parts.length; i++) {
            if (parts[i].startsWith("vocabulary=")) {
                vocabulary = number(parts[i].substring("vocabulary=".length()));
            } else if (parts[i].startsWith("tokenizer=")) {
                tokenizer = parts[i].substring("tokenizer=".length());
            } else {
                throw new IllegalArgumentException("'" + parts[i] + "' is neither vocabulary= nor tokenizer=");
            }
        }
        require(vocabulary != null, "vocabulary= is missing");
        require(tokenizer != null, "tokenizer= is missing");
        return new ModelSpec(parts[0].substring(0, at), parts[0].substring(at + 1), vocabulary, tokenizer);
    }

    private static int number(String text) {
        try {
            return Integer.parseInt(text);
        } catch (NumberFormatException e) {
            throw new IllegalArgumentException("vocabulary must be a whole number, got '" + text + "'", e);
        }
    }
}
