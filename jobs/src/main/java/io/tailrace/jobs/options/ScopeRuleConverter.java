package io.tailrace.jobs.options;

import io.tailrace.operators.admission.ScopeRule;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.TypeConversionException;

/** Reads {@code PRODUCER=SCOPE[,SCOPE...]}. */
final class ScopeRuleConverter implements ITypeConverter<ScopeRule> {
    @Override
    public ScopeRule convert(String text) {
        try {
            return ScopeRule.parse(text);
        } catch (IllegalArgumentException e) {
            throw new TypeConversionException(e.getMessage());
        }
    }
}
