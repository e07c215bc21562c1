package io.tailrace.agent.command;

import io.tailrace.client.KafkaAccess;
import io.tailrace.client.ReportingOptions;
import io.tailrace.client.TailraceClient;
import io.tailrace.client.follow.FollowOptions;
import io.tailrace.client.follow.FreshFrom;
import io.tailrace.schemas.signing.KeyFileException;
import io.tailrace.schemas.signing.TrustedKeys;
import io.tailrace.suffix.KeptOfPrompts;
import io.tailrace.terminal.BadInputException;
import io.tailrace.terminal.Bounds;
import io.tailrace.terminal.BrokerAddresses;
import io.tailrace.terminal.Failures;
import io.tailrace.terminal.KeyOptions;
import io.tailrace.terminal.WorkFolder;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.UncheckedIOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** What an agent or a worker has of its fleet: snapshots, fresh answers; and what it reports. Without Kafka it is alone. */
@Command(optionListHeading = "Fleet")
public final class FleetArguments {
    @Option(
            names = "--bootstrap",
            converter = BrokerAddresses.class,
            paramLabel = "HOST:PORT",
            description = "Kafka brokers to begin with, separated by commas. Default: none, alone.")
    private String bootstrap;

    @Option(
            names = "--store",
            paramLabel = "URI",
            description =
                    "Where the job puts segments: a folder, file:, s3:, http: or https:. Of a worker without --bootstrap: a folder with the segments of one snapshot, read at the start.")
    private URI store;

    @Mixin
    private ReportingArguments reports = new ReportingArguments();

    @Mixin
    private KeyOptions.Trusted keys = new KeyOptions.Trusted();

    @Option(
            names = "--cache",
            hidden = true,
            paramLabel = "FOLDER",
            description =
                    "Local folder for segment files; workers of one machine may share it. Default: ~/.tailrace/cache.")
    private Path cache;

    @Option(
            names = "--fresh-from",
            hidden = true,
            defaultValue = "fleet",
            paramLabel = "fleet|own",
            description =
                    "Whose answers to draft from before a snapshot has them: the whole fleet's, by topic admitted, or this"
                            + " worker's own only, as without Kafka. Default: ${DEFAULT-VALUE}.")
    private FreshFrom freshFrom;

    @Bounds(min = 0)
    @Option(
            names = "--fresh-tokens",
            hidden = true,
            defaultValue = "1000000",
            paramLabel = "N",
            description =
                    "Answers of a scope to draft from until a snapshot has them, in tokens. Default: ${DEFAULT-VALUE}.")
    private int freshTokens;

    @Bounds(min = 1)
    @Option(
            names = "--fresh-tokens-all",
            hidden = true,
            paramLabel = "N",
            description =
                    "The same of all scopes and models together, each answer counted as 150 more than it has; above it the"
                            + " scope used longest ago gives up its oldest. Default: 16000000, or --fresh-tokens if that is more.")
    private Long freshTokensAll;

    @Option(
            names = "--prompt-tail",
            hidden = true,
            paramLabel = "[SCOPE=]TOKENS",
            description = "As the job's --prompt-tail, for answers that were given here and that no snapshot has yet."
                    + " Repeatable. Default: 3.")
    private List<String> promptTails = new ArrayList<>();

    @Option(
            names = "--prompt-signature",
            hidden = true,
            paramLabel = "[SCOPE=]on|off",
            description = "As the job's --prompt-signature, for the same answers. Repeatable. Default: on.")
    private List<String> promptSignatures = new ArrayList<>();

    public void check() {
        reports.check();
        if (bootstrap != null && store == null) {
            throw new BadInputException("--bootstrap needs --store, or snapshots could not be fetched");
        }
        trustedKeys();
        kept();
        snapshotFolder().ifPresent(FleetArguments::check);
    }

    /** It is read once: what is missing then will not come. */
    private static void check(Path folder) {
        if (!Files.isDirectory(folder)) {
            throw new BadInputException(
                    "--store %s: there is no such folder; without --bootstrap it is one with segments"
                            .formatted(folder));
        }
        try {
            if (TailraceClient.segmentFiles(folder).isEmpty()) {
                throw new BadInputException(
                        "--store %s has no segment (*.segment); without --bootstrap none will come".formatted(folder));
            }
        } catch (IOException | UncheckedIOException e) {
            throw new BadInputException("--store: " + Failures.message(e), e);
        }
    }

    /** Without waiting for them. */
    public void sayWhoIsAway(PrintWriter err) {
        kafka().ifPresent(kafka -> {
            Away.tell(kafka::unreachable, err);
            Away.tell(() -> TailraceClient.unreachableStore(store), err);
        });
    }

    private TrustedKeys trustedKeys() {
        try {
            return TrustedKeys.read(keys.files());
        } catch (KeyFileException e) {
            throw new BadInputException("--trusted-keys: " + e.getMessage(), e);
        }
    }

    public Optional<KafkaAccess> kafka() {
        return Optional.ofNullable(bootstrap).map(reports::kafka);
    }

    public String name() {
        return reports.name();
    }

    /** The segments of a worker without Kafka. */
    public Optional<Path> snapshotFolder() {
        if (bootstrap != null || store == null) {
            return Optional.empty();
        }
        try {
            return Optional.of(store.getScheme() == null ? Path.of(store.toString()) : Path.of(store));
        } catch (IllegalArgumentException | java.nio.file.FileSystemNotFoundException e) {
            throw new BadInputException(
                    "--store %s: without --bootstrap it must be a folder with segments".formatted(store), e);
        }
    }

    /** Whether snapshots can come. */
    public boolean hasStore() {
        return store != null;
    }

    public FollowOptions follow() {
        long all = freshTokensAll == null ? Math.max(FollowOptions.FRESH_TOKENS_ALL, freshTokens) : freshTokensAll;
        Path folder = cache == null ? WorkFolder.ofUser().resolve("cache") : cache;
        return FollowOptions.of(bootstrap == null ? folder.toUri() : store, folder)
                .withFreshTokensMax(freshTokens)
                .withFreshTokensAllMax(all)
                .withFreshFrom(freshFrom)
                .withTrustedKeys(trustedKeys())
                .withPrompts(kept());
    }

    private KeptOfPrompts kept() {
        try {
            return KeptOfPrompts.parse(promptTails, promptSignatures);
        } catch (IllegalArgumentException e) {
            throw new BadInputException("--prompt-tail, --prompt-signature: " + e.getMessage(), e);
        }
    }

    public Optional<ReportingOptions> reporting() {
        return reporting("");
    }

    /**
     * The same where one process reports of several models.
     *
     * @param part names the model's folder within the spool; empty: the spool is one model's
     */
    public Optional<ReportingOptions> reporting(String part) {
        return kafka().map(access -> reports.reporting(access, part));
    }
}
