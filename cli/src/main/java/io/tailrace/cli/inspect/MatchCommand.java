package io.tailrace.cli.inspect;

import io.tailrace.suffix.Occurrences;
import io.tailrace.suffix.segment.Segment;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;

/** Shows the occurrences nearest to a context. */
@Command(
        name = "match",
        mixinStandardHelpOptions = true,
        description = "The nearest occurrences of a context, longest match first, with the token that follows each.")
final class MatchCommand extends SegmentCommand {
    @Option(
            names = "--context",
            required = true,
            paramLabel = "IDS",
            converter = TokenList.Converter.class,
            description = "Token ids, separated by commas; the last one is the context's end.")
    private TokenList context;

    @Option(
            names = "-k",
            defaultValue = "16",
            description = "Occurrences at most, at least 1 (default ${DEFAULT-VALUE}).")
    private int countMax;

    @Override
    void check() {
        if (countMax < 1) {
            throw new ParameterException(spec().commandLine(), "-k must be >= 1, got " + countMax);
        }
    }

    @Override
    NamedValues answer(Path file, Segment segment) {
        Occurrences found = new Occurrences();
        segment.nearest(context.tokens(), context.tokens().length, countMax, 0, found);
        List<NamedValues> matches = new ArrayList<>();
        for (int i = 0; i < found.size(); i++) {
            int position = found.position(i);
            matches.add(new NamedValues()
                    .add("document", segment.documentAt(position))
                    .add("position", position)
                    .add("matchLength", found.matchLength(i))
                    .add("nextToken", segment.token(position + 1)));
        }
        return new NamedValues().add("file", file).add("matches", matches);
    }
}
