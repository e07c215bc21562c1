package io.tailrace.cli.fleet;

import io.tailrace.client.follow.ServedModel;
import io.tailrace.jobs.options.ModelConverter;
import io.tailrace.operators.admission.ModelSpec;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.TypeConversionException;

/** Reads {@code NAME@REVISION,vocabulary=N,tokenizer=FINGERPRINT}, as the job does. */
public final class ServedModelConverter implements ITypeConverter<ServedModel> {
    public static final String FORM = ModelConverter.FORM;

    @Override
    public ServedModel convert(String text) {
        ModelSpec spec = new ModelConverter().convert(text);
        try {
            return new ServedModel(spec.model(), spec.revision(), spec.vocabularySize(), spec.tokenizerFingerprint());
        } catch (IllegalArgumentException e) {
            throw new TypeConversionException("'%s' is no model (%s): %s".formatted(text, FORM, e.getMessage()));
        }
    }
}
