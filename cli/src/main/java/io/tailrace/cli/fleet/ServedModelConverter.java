package io.tailrace.cli.fleet;

import io.tailrace.worker.follow.ServedModel;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.TypeConversionException;

/** Reads {@code NAME@REVISION,vocabulary=N,tokenizer=FINGERPRINT}, as the job does. */
final class ServedModelConverter implements ITypeConverter<ServedModel> {
    static final String FORM = "NAME@REVISION,vocabulary=N,tokenizer=FINGERPRINT";
    private static final Pattern MODEL = Pattern.compile(
            "(?<name>[^,]+)@(?<revision>[^,@]+),vocabulary=(?<size>[0-9]{1,9}),tokenizer=(?<tokenizer>[^,]+)");

    @Override
    public ServedModel convert(String text) {
        Matcher model = MODEL.matcher(text);
        if (!model.matches()) {
            throw new TypeConversionException("'%s' is no model (%s)".formatted(text, FORM));
        }
        try {
            return new ServedModel(
                    model.group("name"),
                    model.group("revision"),
                    Integer.parseInt(model.group("size")),
                    model.group("tokenizer"));
        } catch (IllegalArgumentException e) {
            throw new TypeConversionException("'%s' is no model (%s): %s".formatted(text, FORM, e.getMessage()));
        }
    }
}
