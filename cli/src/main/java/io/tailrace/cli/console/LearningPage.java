package io.tailrace.cli.console;

import io.tailrace.cli.console.Page.Chart;
import io.tailrace.cli.console.Page.Grid;
import io.tailrace.cli.console.Page.Section;
import io.tailrace.cli.console.Page.Series;
import io.tailrace.cli.console.Page.Tile;
import io.tailrace.cli.fleet.HeardEvent;
import io.tailrace.cli.fleet.LaneView;
import io.tailrace.cli.fleet.Ratio;
import io.tailrace.cli.fleet.SourceWeights;
import io.tailrace.cli.fleet.Trial;
import io.tailrace.schemas.DriftStanding;
import io.tailrace.schemas.EvaluatedChoice;
import io.tailrace.schemas.Policy;
import io.tailrace.schemas.SnapshotManifest;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.ToDoubleFunction;

/** Whether a lane's traffic changed, what was tried, and what is live. */
final class LearningPage {
    private LearningPage() {}

    static Page of(ChosenLane chosen) {
        LaneView lane = chosen.lane();
        if (lane == null) {
            return chosen.none("Learning");
        }
        SnapshotManifest newest = lane.newest();
        List<Section> sections = new ArrayList<>();
        sections.add(chosen.form());
        sections.add(trials(lane.trials()));
        sections.add(Section.of(
                "Drift alarms",
                "",
                FleetPages.events(
                        "Drift alarms",
                        lane.learning().stream().filter(HeardEvent::isDrift).toList())));
        sections.add(weights(lane));
        sections.add(drift(lane));
        if (newest != null && newest.getEvaluation() != null) {
            sections.add(Section.of(
                    "What other choices would give",
                    "Each beside what is live, on the same generations. The job counts what '--evaluation-count' names.",
                    choices(newest.getEvaluation().getCounterfactuals())));
        }
        sections.add(Section.of("Policies", "Versions of one number have the same weights.", policies(lane)));
        return new Page(
                "Learning of " + lane.lane(),
                "Whether traffic changed, what was tried, and what is live.",
                newest == null ? List.of() : tiles(newest),
                sections);
    }

    private static List<Tile> tiles(SnapshotManifest newest) {
        List<Tile> tiles = new ArrayList<>();
        tiles.add(new Tile(Figures.text(newest.getPolicy().getNumber()), "live policy"));
        DriftStanding drift = newest.getDrift();
        if (drift != null) {
            tiles.add(new Tile(drift.getAlarm() ? "yes" : "no", "drift alarm is on"));
            tiles.add(new Tile(Figures.text(drift.getAlarms()), "drift alarms so far"));
            tiles.add(new Tile(Figures.text(drift.getEvidence()), "evidence, ln"));
        }
        return tiles;
    }

    private static Section trials(List<Trial> trials) {
        Grid table = new Grid(
                "Trials, newest first",
                "trial",
                "of",
                "began, UTC",
                "ended, UTC",
                "verdict",
                "what the judge said",
                "what was proposed");
        trials.forEach(trial -> table.row(
                trial.number() < 0 ? "-" : Long.toString(trial.number()),
                trial.subject(),
                trial.beganAt(),
                trial.endedAt(),
                trial.verdict(),
                trial.said().isEmpty() ? "-" : trial.said(),
                trial.proposed().isEmpty() ? "-" : trial.proposed()));
        return Section.of(
                "What the judge said",
                "Trials of policies and of what leaves the lane, since a day before this console started. A dash: it was not told in that time.",
                table);
    }

    private static Section weights(LaneView lane) {
        SourceWeights weights = lane.sourceWeights();
        String heading = "Weights by source";
        Grid table = new Grid(heading, "source", "live %", "shipped %", "change, points");
        if (weights == null) {
            return Section.of(
                    heading,
                    "There is no version, or its weights are of a layout that this release does not know.",
                    table);
        }
        weights.live().forEach((source, share) -> {
            double shipped = 100 * weights.shipped().get(source);
            table.row(source, 100 * share, shipped, 100 * share - shipped);
        });
        String note =
                "Each source's part of the absolute weights on votes: how far it can move a probability, not how often it votes. ";
        return Section.of(heading, note + (weights.learned() ? "" : "The shipped weights are live."), table)
                .with(Chart.bars(
                        heading,
                        "part of weights, %",
                        List.copyOf(weights.live().keySet()),
                        shares("live", weights.live()),
                        shares("shipped", weights.shipped())));
    }

    private static Series shares(String name, Map<String, Double> shares) {
        return new Series(
                name, shares.values().stream().map(share -> 100 * share).toList());
    }

    private static Section drift(LaneView lane) {
        List<SnapshotManifest> told = lane.versions().values().stream()
                .filter(manifest -> manifest.getDrift() != null)
                .toList();
        Grid table = new Grid(
                "Drift by version, newest first",
                "version",
                "created",
                "evidence, ln",
                "alarm",
                "novelty, bits",
                "reference",
                "log-loss, nats",
                "reference");
        for (int i = told.size() - 1; i >= 0; i--) {
            DriftStanding drift = told.get(i).getDrift();
            table.row(
                    Long.toString(told.get(i).getVersion()),
                    told.get(i).getCreatedAt(),
                    drift.getEvidence(),
                    Figures.bad(drift.getAlarm() ? "yes" : "no", drift.getAlarm()),
                    taken(drift.getNovelty()),
                    taken(drift.getNoveltyReference()),
                    drift.getLogLoss(),
                    taken(drift.getLogLossReference()));
        }
        Section section = Section.of(
                "Drift",
                "Evidence is the logarithm of the test's statistic. A dash: no reference is taken yet.",
                table);
        return told.isEmpty()
                ? section
                : section.with(
                        Chart.line(
                                "Evidence of drift",
                                "evidence, ln",
                                drifts("evidence", told, DriftStanding::getEvidence)),
                        Chart.line(
                                "Novelty",
                                "bits a token",
                                drifts("recent", known(told, DriftStanding::getNovelty), DriftStanding::getNovelty),
                                drifts(
                                        "reference",
                                        known(told, DriftStanding::getNoveltyReference),
                                        DriftStanding::getNoveltyReference)));
    }

    /** Null: at first, and after an alarm, there is no reference until one is taken. */
    private static Double taken(double figure) {
        return figure == 0 ? null : Double.valueOf(figure);
    }

    private static List<SnapshotManifest> known(List<SnapshotManifest> told, ToDoubleFunction<DriftStanding> figure) {
        return told.stream()
                .filter(manifest -> figure.applyAsDouble(manifest.getDrift()) != 0)
                .toList();
    }

    private static Series drifts(String name, List<SnapshotManifest> told, ToDoubleFunction<DriftStanding> figure) {
        return Figures.series(name, told, manifest -> figure.applyAsDouble(manifest.getDrift()));
    }

    private static Grid choices(List<EvaluatedChoice> choices) {
        Grid table = new Grid(
                "Choices", "choice", "generations", "accepted/step", "live accepted/step", "tokens/step, times live");
        choices.forEach(choice -> table.row(
                choice.getChoice(),
                choice.getGenerations(),
                Ratio.of(choice.getAccepted(), choice.getSteps()),
                Ratio.of(choice.getLiveAccepted(), choice.getLiveSteps()),
                Ratio.of(choice.getLiveSteps(), choice.getSteps())));
        return table;
    }

    private static Grid policies(LaneView lane) {
        Map<Long, SnapshotManifest> first = new TreeMap<>();
        lane.versions()
                .values()
                .forEach(manifest -> first.putIfAbsent(manifest.getPolicy().getNumber(), manifest));
        Grid table = new Grid(
                "Policies",
                "policy",
                "first seen in version",
                "drafts",
                "budget",
                "floor",
                "weights",
                "places learned from");
        first.values().forEach(manifest -> {
            Policy policy = manifest.getPolicy();
            table.row(
                    policy.getNumber(),
                    Long.toString(manifest.getVersion()),
                    policy.getEnabled() ? "yes" : "no",
                    policy.getBudgetMax(),
                    Float.toString(policy.getProbabilityFloor()),
                    policy.getWeights().isEmpty() ? "shipped" : "learned",
                    policy.getEvidence());
        });
        return table;
    }
}
