package io.tailrace.jobs.options;

import static io.tailrace.operators.Preconditions.require;

import io.tailrace.jobs.kafka.KafkaEnds;
import io.tailrace.operators.admission.AdmissionOptions;
import io.tailrace.operators.admission.ModelCatalog;
import io.tailrace.operators.evaluation.Evaluator;
import io.tailrace.operators.intake.IntakeOptions;
import io.tailrace.operators.learning.LaneLearning;
import io.tailrace.operators.publishing.PublishingOptions;
import io.tailrace.operators.signals.EvaluationSample;
import io.tailrace.schemas.Topic;
import io.tailrace.terminal.Bounds;
import io.tailrace.terminal.ConfiguredCommandLine;
import java.net.URI;
import java.util.List;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;

/** Everything the index job can be told. */
@Command(
        name = "tailrace-job",
        sortOptions = false,
        optionListHeading = "Storage",
        description = "Indexes completed generations and announces snapshots; runs in Flink.")
public final class IndexJobOptions {
    /** What a transaction waits for is a checkpoint that may take as long as the time between two. */
    private static final int TRANSACTION_PARTS = 2;

    @Mixin
    KafkaArguments kafka;

    @Mixin
    AdmissionArguments admission;

    @Mixin
    IntakeArguments intake;

    @Mixin
    PublishingArguments publishing;

    @Mixin
    LearningArguments learning;

    @Option(
            names = "--store",
            required = true,
            paramLabel = "URI",
            description =
                    "Where segments lie, in any file system this Flink knows: file:///..., and s3://... with its plug-in, so not in ./tailrace job.")
    URI store;

    @Option(
            names = "--scratch",
            hidden = true,
            defaultValue = "",
            paramLabel = "FOLDER",
            description = "Local folder for scratch files and copies of segments. Default: the JVM's temporary folder.")
    String scratch;

    @Option(
            names = "--start-empty",
            hidden = true,
            description =
                    "Start without state although versions are announced: all lanes begin anew. Without it such a job does not start.")
    boolean startEmpty;

    @Option(
            names = "--take-over",
            hidden = true,
            defaultValue = "",
            paramLabel = "WORD",
            description =
                    "Take the installation over from a job that took it over from this one; a word not used for it before.")
    String takeOver;

    @Bounds(min = 10)
    @Option(
            names = "--checkpoint-millis",
            hidden = true,
            defaultValue = "1000",
            paramLabel = "MILLIS",
            description =
                    "Time between checkpoints; an announcement is visible with the next. Above 5000 snapshots are later than"
                            + " the 10 s that are promised, and alert TailraceFreshness stays on. Default: ${DEFAULT-VALUE}.")
    long checkpointMillis;

    /**
     * Reads arguments.
     *
     * @throws ParameterException if one is missing, unknown or out of bounds
     */
    public static IndexJobOptions parse(String... arguments) {
        IndexJobOptions options = new IndexJobOptions();
        CommandLine command = new ConfiguredCommandLine(options, List.of());
        command.parseArgs(arguments);
        try {
            options.check();
        } catch (IllegalArgumentException e) {
            throw new ParameterException(command, e.getMessage(), e);
        }
        return options;
    }

    /** How to use them, as text. */
    public static String usage() {
        return new ConfiguredCommandLine(new IndexJobOptions(), List.of()).getUsageMessage();
    }

    /** Throws {@link IllegalArgumentException} for a value out of bounds, naming the option. */
    public void check() {
        kafka.check();
        require(
                store.getScheme() != null,
                "--store must be a URI with a scheme, such as file:///var/tailrace, got '%s'",
                store);
        require(
                checkpointMillis <= kafka.transactionTimeoutMillis / TRANSACTION_PARTS,
                "--checkpoint-millis must be at most half of --transaction-timeout-millis, else brokers end what the job"
                        + " writes before a checkpoint completes it; got %d and %d",
                checkpointMillis,
                kafka.transactionTimeoutMillis);
        admission();
        intake();
        publishing();
        sampling();
        evaluate();
        policies();
        driftFalseAlarmGenerations();
    }

    /** True if a job without state may start beside announced versions. */
    public boolean startEmpty() {
        return startEmpty;
    }

    /** These, with {@code --start-empty}. */
    public IndexJobOptions startingEmpty() {
        startEmpty = true;
        return this;
    }

    /** A word with which the job claims the installation once more; empty: none. */
    public String takeOver() {
        return takeOver;
    }

    public KafkaArguments kafka() {
        return kafka;
    }

    /**
     * How much of topic generations is read once more, by the brokers' time, where the state is of another topic; {@link KafkaEnds#FROM_BEGINNING}: all
     * of it. Repeats within the horizon are recognised.
     */
    public long rereadMillis() {
        return kafka.generationsMirrored() ? intake().duplicateHorizonMillis() / 2 : KafkaEnds.FROM_BEGINNING;
    }

    public AdmissionOptions admission() {
        return admission.toOptions(kafka.boundTopics(Topic.GENERATIONS));
    }

    public ModelCatalog models() {
        return admission.toCatalog();
    }

    public IntakeOptions intake() {
        return intake.toOptions(admission.shards());
    }

    public PublishingOptions publishing() {
        return publishing.toOptions(admission.lateMillisMax(), sampling().share() > 0);
    }

    public EvaluationSample.Sampling sampling() {
        return learning.sampling();
    }

    public Evaluator.Options evaluate() {
        return learning.evaluate();
    }

    public LaneLearning.Options policies() {
        return learning.policies();
    }

    public long driftFalseAlarmGenerations() {
        return learning.driftFalseAlarmGenerations();
    }

    public URI store() {
        return store;
    }

    public String scratch() {
        return scratch;
    }

    public long checkpointMillis() {
        return checkpointMillis;
    }
}
