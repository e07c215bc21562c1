package io.tailrace.cli.inspect;

import java.util.Arrays;
import java.util.List;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.TypeConversionException;

/** Token ids on the command line, separated by commas. */
record TokenList(int[] tokens) {
    static List<Integer> boxed(int[] tokens) {
        return Arrays.stream(tokens).boxed().toList();
    }

    static final class Converter implements ITypeConverter<TokenList> {
        @Override
        public TokenList convert(String text) {
            try {
                int[] tokens = Arrays.stream(text.split(","))
                        .map(String::trim)
                        .mapToInt(Integer::parseInt)
                        .toArray();
                if (Arrays.stream(tokens).anyMatch(token -> token < 0)) {
                    throw new TypeConversionException("token ids must be >= 0, got " + text);
                }
                return new TokenList(tokens);
            } catch (NumberFormatException e) {
                throw new TypeConversionException("must be token ids separated by commas, got " + text);
            }
        }
    }
}
