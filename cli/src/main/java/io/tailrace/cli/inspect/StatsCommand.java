package io.tailrace.cli.inspect;

import io.tailrace.suffix.segment.Segment;
import io.tailrace.suffix.segment.SegmentSummary;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import picocli.CommandLine.Command;

/** Describes segments in numbers. */
@Command(
        name = "stats",
        mixinStandardHelpOptions = true,
        description = "Tokens, documents, bytes per token, time written, age of the newest document.")
final class StatsCommand extends SegmentCommand {
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
                .add("textTokens", summary.textTokens())
                .add("liveTokens", summary.liveTokens())
                .add("bytesPerToken", (double) summary.sizeBytes() / Math.max(summary.textTokens(), 1))
                .add("builtAt", Files.getLastModifiedTime(file).toInstant())
                .add("newestCompletedAt", newest)
                .add("ageSeconds", Duration.between(newest, Instant.now()).toSeconds());
    }
}
