package io.tailrace.jobs.options;

import io.tailrace.operators.publishing.PublishingOptions;
import io.tailrace.terminal.Bounds;
import java.time.Duration;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** How lanes are laid out, announced and kept. */
@Command(optionListHeading = "What is kept")
public final class PublishingArguments {
    @Bounds(min = 1)
    @Option(
            names = "--announce-millis",
            hidden = true,
            defaultValue = "1000",
            paramLabel = "MILLIS",
            description = "Least time between two announcements of a lane; one may come a tenth early, on account of "
                    + "the next. Default: ${DEFAULT-VALUE}.")
    long announceMillis;

    @Bounds(min = 1)
    @Option(
            names = "--newest-tokens",
            hidden = true,
            defaultValue = "262144",
            paramLabel = "N",
            description =
                    "The newest segment joins the older ones when it holds more; under load, up to eight times as "
                            + "much. Default: ${DEFAULT-VALUE}.")
    long newestTokens;

    @Bounds(min = 1)
    @Option(
            names = "--newest-age-seconds",
            hidden = true,
            defaultValue = "600",
            paramLabel = "SECONDS",
            description = "Or when it was begun this long ago. Default: ${DEFAULT-VALUE}.")
    long newestAgeSeconds;

    @Bounds(min = 1, max = 200_000_000)
    @Option(
            names = "--lane-tokens",
            defaultValue = "32000000",
            paramLabel = "N",
            description = "Token budget of a lane; the oldest generations beyond it expire, some shortly before it "
                    + "if that is judged no worse. A TaskManager needs 54 bytes of heap for each. "
                    + "Default: ${DEFAULT-VALUE}.")
    long laneTokens;

    @Bounds(min = 1)
    @Option(
            names = "--generation-age-hours",
            defaultValue = "720",
            paramLabel = "HOURS",
            description = "Generations expire when completed longer ago. Default: ${DEFAULT-VALUE}.")
    long generationAgeHours;

    @Bounds(min = 0)
    @Option(
            names = "--half-life-hours",
            hidden = true,
            defaultValue = "240",
            paramLabel = "HOURS",
            description =
                    "Of the generations of one age half expire in this time; four times as fast for a day after a "
                            + "drift alarm, if completed before it; judged first. Default: ${DEFAULT-VALUE}; 0: age alone decides.")
    long halfLifeHours;

    @Bounds(min = 1)
    @Option(
            names = "--delete-seconds",
            hidden = true,
            defaultValue = "900",
            paramLabel = "SECONDS",
            description =
                    "A delete is done in every announced version within this of being heard of; segments that could "
                            + "not be rewritten by then are left out until they are. Default: ${DEFAULT-VALUE}.")
    long deleteSeconds;

    @Bounds(min = 1, max = 200)
    @Option(
            names = "--versions-retained",
            hidden = true,
            defaultValue = "64",
            paramLabel = "N",
            description =
                    "Announced versions that can be gone back to, 1 to 200: the newest half, and of the time before "
                            + "fewer the longer ago; pinned and served ones count beside them. Default: ${DEFAULT-VALUE}.")
    int versionsRetained;

    @Bounds(min = 1)
    @Option(
            names = "--version-age-hours",
            hidden = true,
            defaultValue = "168",
            paramLabel = "HOURS",
            description = "And how far back; a pinned version and one that a live worker serves stay. "
                    + "Default: ${DEFAULT-VALUE}.")
    long versionAgeHours;

    @Bounds(min = 1)
    @Option(
            names = "--sweep-grace-seconds",
            hidden = true,
            defaultValue = "600",
            paramLabel = "SECONDS",
            description = "A file is removed when nothing has named it for this long; checkpoints and savepoints older "
                    + "than that cannot be restored. Default: ${DEFAULT-VALUE}.")
    long sweepGraceSeconds;

    @Bounds(min = 0)
    @Option(
            names = "--cache-bytes",
            hidden = true,
            defaultValue = "1073741824",
            paramLabel = "BYTES",
            description = "Local copies of segments kept by one publishing task. Default: ${DEFAULT-VALUE}.")
    long cacheBytes;

    PublishingOptions toOptions(long lateMillisMax, boolean retentionJudged) {
        return new PublishingOptions(
                announceMillis,
                newestTokens,
                Duration.ofSeconds(newestAgeSeconds).toMillis(),
                PublishingOptions.WAITING_BYTES_MAX,
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
