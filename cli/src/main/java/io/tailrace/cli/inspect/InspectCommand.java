package io.tailrace.cli.inspect;

import io.tailrace.suffix.Occurrences;
import io.tailrace.suffix.PromptSignature;
import io.tailrace.suffix.segment.Segment;
import io.tailrace.suffix.segment.SegmentSummary;
import io.tailrace.suffix.segment.Sidecar;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.stream.IntStream;
import picocli.CommandLine.Command;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;
import picocli.CommandLine.TypeConversionException;

/** {@code tailrace inspect}: looks into segment files. */
@Command(
        name = "inspect",
        description = "Looks into segment files: verifies, describes, searches and counts.",
        mixinStandardHelpOptions = true,
        synopsisSubcommandLabel = "COMMAND",
        subcommands = {
            InspectCommand.Check.class,
            InspectCommand.Stats.class,
            InspectCommand.Match.class,
            InspectCommand.Count.class,
            InspectCommand.Dump.class
        })
public final class InspectCommand {
    /** What the subcommands share: each file is opened with every byte checked, and one refused file does not stop the rest. */
    abstract static class SegmentCommand implements Callable<Integer> {
        static final int OK = 0;
        static final int REFUSED = 1;

        @Spec
        private CommandSpec spec;

        @Parameters(paramLabel = "FILE", arity = "1..*", description = "Segment files.")
        private List<Path> files;

        @Option(names = "--json", description = "One JSON object a line, for programs.")
        private boolean json;

        /** What to say about an intact segment. */
        abstract NamedValues answer(Path file, Segment segment) throws IOException;

        @Override
        public Integer call() {
            check();
            PrintWriter out = spec.commandLine().getOut();
            PrintWriter err = spec.commandLine().getErr();
            int code = OK;
            for (Path file : files) {
                try (Segment segment = Segment.inspect(file)) {
                    NamedValues answer = answer(file, segment);
                    out.print(json ? answer.json() : answer.text());
                } catch (IOException | UncheckedIOException e) {
                    code = REFUSED;
                    String reason = e instanceof NoSuchFileException ? file + ": no such file" : e.getMessage();
                    if (json) {
                        out.print(new NamedValues()
                                .add("file", file)
                                .add("error", reason)
                                .json());
                    } else {
                        err.println(reason);
                    }
                }
            }
            out.flush();
            err.flush();
            return code;
        }

        /** Checks the options before any file is opened. */
        void check() {}

        CommandSpec spec() {
            return spec;
        }
    }

    /** Verifies segments, and the sidecars beside them. */
    @Command(
            name = "check",
            mixinStandardHelpOptions = true,
            description =
                    "Verifies every byte, the order's invariants, and the sidecar if there is one beside the file.")
    static final class Check extends SegmentCommand {
        @Override
        NamedValues answer(Path file, Segment segment) throws IOException {
            segment.checkInvariants();
            SegmentSummary summary = segment.summary();
            NamedValues answer =
                    new NamedValues().add("file", file).add("intact", true).add("sha256", summary.sha256());
            Path sidecar = file.resolveSibling(summary.sha256() + ".sidecar");
            boolean beside = Files.exists(sidecar);
            if (beside) {
                Sidecar.readFor(segment, sidecar);
            }
            return answer.add("sidecar", beside ? "intact" : "none");
        }
    }

    /** Describes segments in numbers. */
    @Command(
            name = "stats",
            mixinStandardHelpOptions = true,
            description =
                    "Tokens, documents, how many have signatures, bytes per token, time written, age of the newest document.")
    static final class Stats extends SegmentCommand {
        @Override
        NamedValues answer(Path file, Segment segment) throws IOException {
            SegmentSummary summary = segment.summary();
            Instant newest = Instant.ofEpochMilli(summary.newestCompletedAtMillis());
            return new NamedValues()
                    .add("file", file)
                    .add("lane", segment.identity().lane())
                    .add("vocabularySize", segment.identity().vocabularySize())
                    .add("tokenizer", segment.identity().tokenizerFingerprint())
                    .add("sizeBytes", summary.sizeBytes())
                    .add("documents", summary.documents())
                    .add("signatures", signatures(segment))
                    .add("textTokens", summary.textTokens())
                    .add("liveTokens", summary.liveTokens())
                    .add("bytesPerToken", (double) summary.sizeBytes() / Math.max(summary.textTokens(), 1))
                    .add("builtAt", Files.getLastModifiedTime(file).toInstant())
                    .add("newestCompletedAt", newest)
                    .add("ageSeconds", Duration.between(newest, Instant.now()).toSeconds());
        }

        private static long signatures(Segment segment) {
            return IntStream.range(0, segment.documents())
                    .filter(document -> segment.signatureHash(document, 0) != PromptSignature.NO_HASH)
                    .count();
        }
    }

    /** Shows the occurrences nearest to a context. */
    @Command(
            name = "match",
            mixinStandardHelpOptions = true,
            description =
                    "The nearest occurrences of a context, longest match first, with the token that follows each.")
    static final class Match extends SegmentCommand {
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

    /** Counts a pattern and what follows it. */
    @Command(
            name = "count",
            mixinStandardHelpOptions = true,
            description =
                    "How often a pattern occurs, repeated documents counted as often as they came, and what follows.")
    static final class Count extends SegmentCommand {
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

    /** Dumps documents: user data, so only with an explicit flag. */
    @Command(
            name = "dump",
            mixinStandardHelpOptions = true,
            description = "The documents' token ids. They are user data: say --documents if you mean it.")
    static final class Dump extends SegmentCommand {
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
                        .add("tokens", TokenList.boxed(segment.answer(i).tokens())));
            }
            return new NamedValues().add("file", file).add("documents", all);
        }
    }

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
}
