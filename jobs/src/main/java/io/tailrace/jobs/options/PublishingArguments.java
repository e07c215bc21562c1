package io.tailrace.jobs.options;

import static io.tailrace.operators.Preconditions.require;

import io.tailrace.operators.publishing.PublishingOptions;
import java.time.Duration;
import picocli.CommandLine.Option;

/** How lanes are laid out, announced and kept. */
public final class PublishingArguments {
    @Option(
            names = "--announce-millis",
            defaultValue = "1000",
            paramLabel = "MILLIS",
            description = "Least time between two announcements of a lane; one may come a tenth early, on account of "
                    + "the next. Default: ${DEFAULT-VALUE}.")
    long announceMillis;

    @Option(
            names = "--newest-tokens",
            defaultValue = "262144",
            paramLabel = "N",
            description =
                    "The newest segment joins the older ones when it holds more; under load, up to eight times as "
                            + "much. Default: ${DEFAULT-VALUE}.")
    long newestTokens;

    @Option(
            names = "--newest-age-seconds",
            defaultValue = "600",
            paramLabel = "SECONDS",
            description = "Or when it was begun this long ago. Default: ${DEFAULT-VALUE}.")
    long newestAgeSeconds;

    @Option(
            names = "--lane-tokens",
            defaultValue = "32000000",
            paramLabel = "N",
            description = "Token budget of a lane; the oldest generations beyond it expire, some shortly before it "
                    + "if that is judged no worse. Default: ${DEFAULT-VALUE}.")
    long laneTokens;

    @Option(
            names = "--generation-age-hours",
            defaultValue = "720",
            paramLabel = "HOURS",
            description = "Generations expire when completed longer ago. Default: ${DEFAULT-VALUE}.")
    long generationAgeHours;

    @Option(
            names = "--half-life-hours",
            defaultValue = "240",
            paramLabel = "HOURS",
            description =
                    "Of the generations of one age half expire in this time; four times as fast for a day after a "
                            + "drift alarm, if completed before it; judged first. Default: ${DEFAULT-VALUE}; 0: age alone decides.")
    long halfLifeHours;

    @Option(
            names = "--delete-seconds",
            defaultValue = "900",
            paramLabel = "SECONDS",
            description =
                    "A delete is done in every announced version within this of being heard of; segments that could "
                            + "not be rewritten by then are left out until they are. Default: ${DEFAULT-VALUE}.")
    long deleteSeconds;

    @Option(
            names = "--versions-retained",
            defaultValue = "64",
            paramLabel = "N",
            description =
                    "Announced versions that can be gone back to, 1 to 200: the newest half, and of the time before "
                            + "fewer the longer ago; pinned and served ones count beside them. Default: ${DEFAULT-VALUE}.")
    int versionsRetained;

    @Option(
            names = "--version-age-hours",
            defaultValue = "168",
            paramLabel = "HOURS",
            description = "And how far back; a pinned version and one that a live worker serves stay. "
                    + "Default: ${DEFAULT-VALUE}.")
    long versionAgeHours;

    @Option(
            names = "--sweep-grace-seconds",
            defaultValue = "600",
            paramLabel = "SECONDS",
            description = "A file is removed when nothing has named it for this long; checkpoints and savepoints older "
                    + "than that cannot be restored. Default: ${DEFAULT-VALUE}.")
    long sweepGraceSeconds;

    @Option(
            names = "--cache-bytes",
            defaultValue = "1073741824",
            paramLabel = "BYTES",
            description = "Local copies of segments kept by one publishing task. Default: ${DEFAULT-VALUE}.")
    long cacheBytes;

    PublishingOptions toOptions(long lateMillisMax, boolean retentionJudged) {
        require(halfLifeHours >= 0, "--half-life-hours must be >= 0, got %d", halfLifeHours);
        require(versionAgeHours > 0, "--version-age-hours must be > 0, got %d", versionAgeHours);
        require(generationAgeHours > 0, "--generation-age-hours must be > 0, got %d", generationAgeHours);
        require(deleteSeconds > 0, "--delete-seconds must be > 0, got %d", deleteSeconds);
        return new PublishingOptions(
                announceMillis,
                newestTokens,
                Duration.ofSeconds(newestAgeSeconds).toMillis(),
                laneTokens,
                Duration.ofHours(generationAgeHours).toMillis(),
                Duration.ofHours(halfLifeHours).toMillis(),
                lateMillisMax + Duration.ofDays(1).toMillis(),
                Duration.ofSeconds(deleteSeconds).toMillis(),
                versionsRetained,
                Duration.ofHours(versionAgeHours).toMillis(),
                Duration.ofSeconds(sweepGraceSeconds).toMillis(),
                cacheBytes,
                retentionJudged);
    }
}
