package io.tailrace.cli.inspect;

import io.tailrace.suffix.segment.Segment;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;

/** Dumps documents: user data, so only with an explicit flag. */
@Command(
        name = "dump",
        mixinStandardHelpOptions = true,
        description = "The documents' token ids. They are user data: say --documents if you mean it.")
final class DumpCommand extends SegmentCommand {
    @Option(names = "--documents", description = "Yes, print what users were answered.")
    private boolean documents;

    @Override
    void check() {
        if (!documents) {
            throw new ParameterException(
                    spec().commandLine(), "documents are user data: add --documents to print them all the same");
        }
    }

    @Override
    NamedValues answer(Path file, Segment segment) {
        List<NamedValues> all = new ArrayList<>();
        for (int i = 0; i < segment.documents(); i++) {
            all.add(new NamedValues()
                    .add("document", i)
                    .add("multiplicity", segment.multiplicity(i))
                    .add("completedAtMillis", segment.completedAtMillis(i))
                    .add("tokens", TokenList.boxed(segment.documentTokens(i))));
        }
        return new NamedValues().add("file", file).add("documents", all);
    }
}
