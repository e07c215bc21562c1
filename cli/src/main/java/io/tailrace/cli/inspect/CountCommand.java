package io.tailrace.cli.inspect;

import io.tailrace.suffix.segment.Segment;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** Counts a pattern and what follows it. */
@Command(
        name = "count",
        mixinStandardHelpOptions = true,
        description = "How often a pattern occurs, repeated documents counted as often as they came, and what follows.")
final class CountCommand extends SegmentCommand {
    @Option(
            names = "--pattern",
            required = true,
            paramLabel = "IDS",
            converter = TokenList.Converter.class,
            description = "Token ids, separated by commas.")
    private TokenList pattern;

    @Override
    NamedValues answer(Path file, Segment segment) {
        Segment.NextTokens next = segment.nextTokenCounts(pattern.tokens());
        List<NamedValues> tokens = new ArrayList<>();
        for (int i = 0; i < next.tokens().length; i++) {
            tokens.add(new NamedValues().add("token", next.tokens()[i]).add("count", next.counts()[i]));
        }
        return new NamedValues()
                .add("file", file)
                .add("count", segment.count(pattern.tokens()))
                .add("ends", next.ends())
                .add("nextTokens", tokens);
    }
}
