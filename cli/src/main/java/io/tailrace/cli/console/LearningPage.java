package io.tailrace.cli.console;

import io.tailrace.cli.console.Page.Chart;
import io.tailrace.cli.console.Page.Grid;
import io.tailrace.cli.console.Page.Section;
import io.tailrace.cli.console.Page.Series;
import io.tailrace.cli.console.Page.Tile;
import io.tailrace.cli.fleet.LaneView;
import io.tailrace.cli.fleet.Ratio;
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
        sections.add(Section.of(
                "What the judge said",
                "Trials and drift alarms as topic events told of them since a day before this console started.",
                FleetPages.events("Trials and alarms", lane.learning())));
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
                    drift.getNovelty(),
                    drift.getNoveltyReference(),
                    drift.getLogLoss(),
                    drift.getLogLossReference());
        }
        Section section = Section.of("Drift", "Evidence is the logarithm of the test's statistic.", table);
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
                                drifts("recent", told, DriftStanding::getNovelty),
                                drifts("reference", told, DriftStanding::getNoveltyReference)));
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
