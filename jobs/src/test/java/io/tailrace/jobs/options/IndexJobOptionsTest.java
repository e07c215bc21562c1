package io.tailrace.jobs.options;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.tailrace.operators.admission.AdmissionOptions;
import io.tailrace.operators.evaluation.EvaluationChoice;
import io.tailrace.operators.evaluation.Evaluator;
import io.tailrace.operators.intake.IntakeOptions;
import io.tailrace.operators.learning.LaneLearning;
import io.tailrace.operators.publishing.PublishingOptions;
import io.tailrace.operators.signals.EvaluationSample;
import io.tailrace.suffix.PromptSignatures;
import io.tailrace.suffix.PromptTails;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Properties;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import picocli.CommandLine;
import picocli.CommandLine.Model.OptionSpec;
import picocli.CommandLine.ParameterException;

final class IndexJobOptionsTest {
    private static IndexJobOptions parse(String... more) {
        List<String> arguments = new ArrayList<>(List.of(
                "--bootstrap", "broker:9092",
                "--store", "file:///var/tailrace",
                "--model", "meta/llama@3.1,vocabulary=128256,tokenizer=3f2a"));
        arguments.addAll(List.of(more));
        return IndexJobOptions.parse(arguments.toArray(String[]::new));
    }

    /** Brokers end a transaction that is older, and the job would start again and again. */
    @Test
    void transactionsOutliveTheTimeBetweenTwoCheckpoints() {
        assertThat(parse("--checkpoint-millis", "300000").checkpointMillis()).isEqualTo(300_000);
        assertThatThrownBy(() -> parse("--checkpoint-millis", "300001"))
                .isInstanceOf(ParameterException.class)
                .hasMessageContaining("--transaction-timeout-millis");
        assertThat(parse("--checkpoint-millis", "400000", "--transaction-timeout-millis", "900000")
                        .checkpointMillis())
                .isEqualTo(400_000);
    }

    @Test
    void defaultsAreTheOperatorsOwn() {
        IndexJobOptions options = parse();
        assertThat(options.store()).isEqualTo(URI.create("file:///var/tailrace"));
        assertThat(options.checkpointMillis()).isEqualTo(1000);
        assertThat(options.scratch()).isEmpty();
        assertThat(options.kafka().bootstrap()).isEqualTo("broker:9092");
        assertThat(options.kafka().topicPrefix()).isEmpty();
        assertThat(options.kafka().group()).isEqualTo("tailrace-index");
        assertThat(options.kafka().transactionalIdPrefix()).isEqualTo("tailrace-index");
        assertThat(options.kafka().transactionTimeoutMillis()).isEqualTo(600_000);
        assertThat(options.kafka().partitionDiscoveryMillis()).isEqualTo(10_000);
        assertThat(options.intake()).isEqualTo(IntakeOptions.defaults(8));
        assertThat(options.publishing()).isEqualTo(PublishingOptions.defaults());
        assertThat(options.sampling()).isEqualTo(EvaluationSample.Sampling.defaults());
        assertThat(options.evaluate()).isEqualTo(Evaluator.Options.defaults());
        assertThat(options.policies()).isEqualTo(LaneLearning.Options.defaults());
        assertThat(options.driftFalseAlarmGenerations()).isEqualTo(1_000_000);
        assertThat(options.admission().limits()).isEqualTo(AdmissionOptions.Limits.defaults());
        assertThat(options.admission().shards()).isEqualTo(8);
        assertThat(options.admission().lanesMax()).isEqualTo(1000);
        assertThat(options.admission().scopeRules()).isEmpty();
        assertThat(options.admission().promptScopes()).isEmpty();
        assertThat(options.admission().promptTails()).isEqualTo(PromptTails.defaults());
        assertThat(options.admission().promptSignatures()).isEqualTo(PromptSignatures.defaults());
        assertThat(options.admission().keepBytes()).isFalse();
        assertThat(options.models().identity("meta%2Fllama@3.1/acme").vocabularySize())
                .isEqualTo(128256);
    }

    @Test
    void whatIsKeptOfPromptsIsWhatIsSaidOfTheirScopes() {
        AdmissionOptions admission = parse(
                        "--prompt-tail", "acme=0",
                        "--prompt-tail", "zenith=32",
                        "--prompt-signature", "acme=off",
                        "--index-prompts", "wiki")
                .admission();
        assertThat(admission.promptTails()).isEqualTo(new PromptTails(3, Map.of("acme", 0, "zenith", 32)));
        assertThat(admission.promptSignatures()).isEqualTo(new PromptSignatures(true, Map.of("acme", false)));
        assertThat(admission.promptScopes()).containsExactly("wiki");
    }

    @Test
    void keysAreAnInterface() {
        assertThat(new CommandLine(new IndexJobOptions())
                        .getCommandSpec().options().stream().map(OptionSpec::longestName))
                .containsExactlyInAnyOrder(
                        "--bootstrap",
                        "--topic-prefix",
                        "--client-config",
                        "--client-property",
                        "--signing-key",
                        "--trusted-keys",
                        "--bound-topics",
                        "--group",
                        "--transactional-id-prefix",
                        "--transaction-timeout-millis",
                        "--partition-discovery-millis",
                        "--generations-mirrored",
                        "--half-life-hours",
                        "--version-age-hours",
                        "--evaluation-share",
                        "--evaluation-replicas",
                        "--evaluation-busy-share",
                        "--evaluation-count",
                        "--policy-seconds",
                        "--policy-evidence",
                        "--drift-false-alarm-generations",
                        "--drift-hurry",
                        "--model",
                        "--shards",
                        "--lanes-max",
                        "--scope-rule",
                        "--index-prompts",
                        "--prompt-tail",
                        "--prompt-signature",
                        "--response-tokens-max",
                        "--prompt-tokens-max",
                        "--late-hours-max",
                        "--keep-rejected-bytes",
                        "--duplicate-horizon-seconds",
                        "--duplicate-hashes-max",
                        "--scope-quota",
                        "--producer-quota",
                        "--announce-millis",
                        "--newest-tokens",
                        "--newest-age-seconds",
                        "--lane-tokens",
                        "--generation-age-hours",
                        "--versions-retained",
                        "--delete-seconds",
                        "--sweep-grace-seconds",
                        "--cache-bytes",
                        "--store",
                        "--scratch",
                        "--start-empty",
                        "--take-over",
                        "--checkpoint-millis");
    }

    @Test
    void everyOptionSaysWhatItIs() {
        assertThat(new CommandLine(new IndexJobOptions()).getCommandSpec().options())
                .allSatisfy(option -> assertThat(String.join(" ", option.description()))
                        .as(option.longestName())
                        .hasSizeGreaterThan(20));
    }

    @ParameterizedTest
    @CsvSource({
        "--shards, 0, shards must be 1 to 1024",
        "--shards, 1025, shards must be 1 to 1024",
        "--lanes-max, 0, --lanes-max must be 1 to 100000",
        "--lanes-max, 100001, --lanes-max must be 1 to 100000",
        "--checkpoint-millis, 9, --checkpoint-millis must be at least 10",
        "--transaction-timeout-millis, 900001, --transaction-timeout-millis must be 1000 to 900000",
        "--partition-discovery-millis, 1, --partition-discovery-millis must be at least 100",
        "--duplicate-horizon-seconds, 0, --duplicate-horizon-seconds must be at least 1",
        "--duplicate-hashes-max, 7, --duplicate-hashes-max must be at least 8",
        "--scope-quota, -1, --scope-quota must be at least 0",
        "--producer-quota, -1, --producer-quota must be at least 0",
        "--announce-millis, 0, --announce-millis must be at least 1",
        "--lane-tokens, 100, laneTokensMax must be newestTokensMax",
        "--lane-tokens, 200000001, --lane-tokens must be 1 to 200000000",
        "--generation-age-hours, 0, --generation-age-hours must be at least 1",
        "--late-hours-max, 0, --late-hours-max must be at least 1",
        "--versions-retained, 0, --versions-retained must be 1 to 200",
        "--versions-retained, 201, --versions-retained must be 1 to 200",
        "--sweep-grace-seconds, 0, --sweep-grace-seconds must be at least 1",
        "--delete-seconds, 0, --delete-seconds must be at least 1",
        "--response-tokens-max, 0, --response-tokens-max must be at least 1",
        "--prompt-tokens-max, 0, --prompt-tokens-max must be at least 1",
        "--model, 'toy,vocabulary=5,tokenizer=x', name and revision are separated by @",
        "--model, 'toy@1,tokenizer=x', vocabulary= is missing",
        "--model, 'toy@1,vocabulary=5', tokenizer= is missing",
        "--model, 'toy@1,vocabulary=many,tokenizer=x', vocabulary must be a whole number",
        "--model, 'meta/llama@3.1,vocabulary=5,tokenizer=x', is given twice",
        "--bound-topics, gateway, --bound-topics reads NAME=SCOPE",
        "--scope-rule, gateway, a scope rule reads PRODUCER=SCOPE",
        "--evaluation-count, budget-9, 'must be one of [own-context, budget-8, budget-31, newest-only, without-oldest]'",
        "--evaluation-count, adaptive, adaptive is the live strategy",
        "--evaluation-count, token-recycling, token-recycling:observed=true",
        "--client-config, /nowhere/at/all, there is no file /nowhere/at/all",
        "--signing-key, /nowhere/at/all, key file /nowhere/at/all: there is no such file; make one with: openssl genpkey",
        "--trusted-keys, /nowhere/at/all, key file /nowhere/at/all: there is no such file; write it with: openssl pkey",
    })
    void whatIsOutOfBoundsIsRefusedByName(String option, String value, String message) {
        assertThatThrownBy(() -> parse(option, value))
                .isInstanceOf(ParameterException.class)
                .hasMessageContaining(message);
    }

    @Test
    void whatTheHelpNamesCanBeCounted() {
        String help = String.join(
                "",
                new CommandLine(new IndexJobOptions())
                        .getCommandSpec()
                        .findOption("--evaluation-count")
                        .description());
        List<String> named =
                List.of(help.replaceAll(".*generations: |\\. Each.*", "").split(", or a strategy.*: |, ", -1));
        assertThat(named).hasSize(10);
        String[] arguments = named.stream()
                .flatMap(name -> Stream.of("--evaluation-count", name))
                .toArray(String[]::new);
        assertThat(parse(arguments).evaluate().choices())
                .extracting(EvaluationChoice::name)
                .isEqualTo(named);
    }

    @Test
    void aStoreWithoutASchemeIsRefused() {
        assertThatThrownBy(() -> IndexJobOptions.parse(
                        "--bootstrap", "b:1", "--store", "data", "--model", "toy@1,vocabulary=5,tokenizer=x"))
                .hasMessage("--store must be a URI with a scheme, such as file:///var/tailrace, got 'data'");
    }

    @Test
    void whatIsMissingIsNamed() {
        assertThatThrownBy(IndexJobOptions::parse)
                .isInstanceOf(ParameterException.class)
                .hasMessageContaining("--bootstrap")
                .hasMessageContaining("--model")
                .hasMessageContaining("--store");
        assertThat(IndexJobOptions.usage()).contains("--bootstrap", "--model");
    }

    @Test
    void clientPropertiesBeatTheFileAndBothReachEveryClient(@TempDir Path folder) throws Exception {
        Path file = Files.writeString(folder.resolve("client.properties"), "security.protocol=SSL\nssl.x=1\n");
        Properties properties = parse(
                        "--client-config", file.toString(), "--client-property", "security.protocol=SASL_SSL")
                .kafka()
                .clientProperties();
        assertThat(properties)
                .containsEntry("security.protocol", "SASL_SSL")
                .containsEntry("ssl.x", "1")
                .containsEntry("bootstrap.servers", "broker:9092");
    }
}
