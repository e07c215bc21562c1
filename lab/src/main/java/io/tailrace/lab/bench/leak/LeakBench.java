package io.tailrace.lab.bench.leak;

import io.tailrace.lab.bench.serve.BenchServer;
import io.tailrace.lab.bench.serve.StoryPrompts;
import io.tailrace.worker.engine.EngineOptions;
import io.tailrace.worker.http.DraftVisibility;
import io.tailrace.worker.model.LanguageModel;
import io.tailrace.worker.serve.DraftOptions;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;
import java.util.function.Supplier;

/** Attacks a worker in each of its settings. */
final class LeakBench {
    private static final String SPACED = "spaced";
    /** Numbers of requests: those of trials begin at 0. */
    private static final int BACKGROUND_FROM = 1_000_000;

    private static final int SECRETS_FROM = 2_000_000;
    private static final int COST_FROM = 3_000_000;
    private final Supplier<LanguageModel> load;
    private final StoryPrompts prompts;
    private final Options options;
    private final Path folder;
    private final List<Membership.Row> membership = new ArrayList<>();
    private final List<Extraction.Row> extraction = new ArrayList<>();
    private final List<SpacingCost.Row> cost = new ArrayList<>();

    /**
     * What to do.
     *
     * @param drafts of the worker
     * @param budget of the worker
     * @param background answers that the lane has from the start
     * @param trials of membership
     * @param effort of extraction
     * @param answerTokens longest answer of a trial
     * @param eventMillis spacing that is tried
     */
    record Options(
            DraftOptions drafts,
            int budget,
            int background,
            int trials,
            Extraction.Effort effort,
            int answerTokens,
            int eventMillis,
            long seed) {}

    /** What it gave. */
    record Report(List<Membership.Row> membership, List<Extraction.Row> extraction, List<SpacingCost.Row> cost) {
        /** Whether neither another scope nor a spaced worker's answers told anything; the metrics page is for operators. */
        boolean hidden() {
            return membership.stream()
                            .filter(row -> mustHide(row.setting(), row.scope()))
                            .filter(row -> !row.channel().equals(Channel.METRICS.title()))
                            .noneMatch(row -> row.auc().tells())
                    && extraction.stream()
                            .filter(row -> mustHide(row.setting(), row.scope()))
                            .noneMatch(Extraction.Row::tells);
        }

        private static boolean mustHide(String setting, String scope) {
            return scope.equals("other") || setting.startsWith(SPACED);
        }
    }

    /**
     * How a worker is set.
     *
     * @param channels that are open to its callers
     * @param attacked those that answers are extracted through
     */
    private record Setting(String name, DraftVisibility visibility, List<Channel> channels, List<Channel> attacked) {
        static List<Setting> all(int eventMillis) {
            List<Channel> always = List.of(Channel.SIZES, Channel.GAPS, Channel.LAST, Channel.WHOLE, Channel.METRICS);
            List<Channel> attacked = List.of(Channel.SIZES, Channel.LAST);
            return List.of(
                    new Setting(
                            "reports allowed",
                            new DraftVisibility(true, 0),
                            List.of(Channel.REPORT),
                            List.of(Channel.REPORT)),
                    new Setting("default", DraftVisibility.defaults(), always, attacked),
                    new Setting(
                            SPACED + " %d ms".formatted(eventMillis),
                            new DraftVisibility(false, eventMillis),
                            always,
                            attacked));
        }
    }

    /**
     * A bench that has measured nothing.
     *
     * @param load loads the model; asked for several copies, which the bench closes
     * @param folder for what workers keep
     */
    LeakBench(Supplier<LanguageModel> load, StoryPrompts prompts, Options options, Path folder) {
        this.load = load;
        this.prompts = prompts;
        this.options = options;
        this.folder = folder;
    }

    /** Measures. */
    Report run(Consumer<String> progress) throws IOException, InterruptedException {
        try (PublicModel model = new PublicModel(load.get())) {
            Secrets secrets = new Secrets(model, prompts, options.seed());
            int number = 0;
            for (Setting setting : Setting.all(options.eventMillis())) {
                Path own = Files.createDirectories(folder.resolve(Integer.toString(number++)));
                try (BenchServer server = server(setting, own)) {
                    attack(setting, server, model, secrets, progress);
                }
            }
        }
        return new Report(List.copyOf(membership), List.copyOf(extraction), List.copyOf(cost));
    }

    private BenchServer server(Setting setting, Path own) throws IOException {
        return new BenchServer(
                load.get(),
                options.drafts(),
                EngineOptions.defaults().batchMax(),
                options.budget(),
                options.answerTokens(),
                setting.visibility(),
                own);
    }

    private void attack(
            Setting setting, BenchServer server, PublicModel model, Secrets secrets, Consumer<String> progress)
            throws IOException, InterruptedException {
        Victim victim = new Victim(server);
        Attacker attacker =
                new Attacker(server.completions(), setting.visibility().reports());
        progress.accept(setting.name() + ": others are answered");
        background(victim, attacker, secrets);
        progress.accept(setting.name() + ": %d trials of membership".formatted(options.trials()));
        Membership trials = new Membership(victim, attacker, secrets, options.answerTokens(), options.seed());
        trials.run(options.trials());
        membership.addAll(trials.rows(setting.name(), setting.channels()));
        Extraction attack = new Extraction(victim, attacker, model, secrets, options.effort(), options.seed());
        int from = SECRETS_FROM;
        for (Channel channel : setting.attacked()) {
            for (String scope : List.of("shared", "other")) {
                progress.accept("%s: extraction by %s, %s scope".formatted(setting.name(), channel.title(), scope));
                extraction.add(attack.run(setting.name(), scope, channel, from));
                from += options.effort().secrets();
            }
        }
        progress.accept(setting.name() + ": cost");
        cost.addAll(SpacingCost.measure(
                setting.name(), server, number -> secrets.request(COST_FROM + number), options.answerTokens()));
    }

    /** Answers of others, which also warm the worker up. */
    private void background(Victim victim, Attacker attacker, Secrets secrets)
            throws IOException, InterruptedException {
        for (int number = 0; number < options.background(); number++) {
            int[] request = secrets.request(BACKGROUND_FROM + number);
            victim.asks(request, options.answerTokens());
            attacker.look(Victim.SCOPE, request, options.answerTokens(), number);
        }
    }
}
