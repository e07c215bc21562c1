package io.tailrace.cli.console;

import io.tailrace.cli.console.Page.Chart;
import io.tailrace.cli.console.Page.Field;
import io.tailrace.cli.console.Page.Form;
import io.tailrace.cli.console.Page.Grid;
import io.tailrace.cli.console.Page.Section;
import io.tailrace.cli.console.Page.Series;
import io.tailrace.cli.console.Page.Tile;
import io.tailrace.cli.fleet.FleetView;
import io.tailrace.cli.fleet.LaneView;
import io.tailrace.cli.fleet.OutcomeTally;
import io.tailrace.cli.fleet.OutcomeTally.Drafted;
import io.tailrace.cli.fleet.Ratio;
import io.tailrace.cli.fleet.WorkerFigures;
import io.tailrace.cli.snapshots.VersionText;
import io.tailrace.schemas.DriftStanding;
import io.tailrace.schemas.EvaluatedChoice;
import io.tailrace.schemas.Policy;
import io.tailrace.schemas.SnapshotManifest;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.TreeMap;
import java.util.function.Function;
import java.util.function.ToDoubleFunction;

/** The pages that are of one lane. */
final class LanePages {
    private LanePages() {}

    /**
     * Which lane a page is of, among all.
     *
     * @param lane null: there is none of the name
     */
    record Chosen(String path, List<String> names, LaneView lane) {
        static Chosen of(FleetView fleet, String path, String name) {
            List<String> names = fleet.laneViews().stream()
                    .map(lane -> lane.lane().toString())
                    .toList();
            String wanted = name == null && !names.isEmpty() ? names.get(0) : name;
            return new Chosen(
                    path, names, wanted == null ? null : fleet.lane(wanted).orElse(null));
        }

        Section form() {
            String chosen = lane == null ? "" : lane.lane().toString();
            return Section.of(
                    "Which lane", "", new Form(path, "Show", List.of(Field.choice("Lane", "lane", names, chosen))));
        }

        /** The page of no lane. */
        Page none(String title) {
            return new Page(
                    title,
                    names.isEmpty() ? "No lane has been heard of." : "There is no lane of that name.",
                    List.of(),
                    names.isEmpty() ? List.of() : List.of(form()));
        }
    }

    /**
     * A lane's versions.
     *
     * @param one version to compare, as text; null: the one before the newest
     * @param other the version to compare it with; null: the newest
     */
    static Page versions(Chosen chosen, String one, String other, long nowMillis) {
        LaneView lane = chosen.lane();
        if (lane == null) {
            return chosen.none("Versions");
        }
        List<WorkerFigures> workers = lane.workers(nowMillis);
        List<Section> sections = new ArrayList<>(List.of(
                chosen.form(),
                Section.of("Versions, newest first", "Times are UTC.", table(lane, workers))
                        .with(Chart.line(
                                "Live tokens by version",
                                "live tokens",
                                series("live tokens", lane.versions().values(), VersionText::liveTokens)))));
        sections.addAll(compared(lane, one, other));
        sections.add(Section.of("Who serves what", "", workers(workers)));
        return new Page(
                "Versions of " + lane.lane(),
                "Which versions there are, why each was made, and who serves it.",
                List.of(
                        new Tile(Figures.text(lane.versions().size()), "versions"),
                        new Tile(
                                Figures.text(workers.stream()
                                        .filter(WorkerFigures::live)
                                        .count()),
                                "live workers"),
                        new Tile(
                                Figures.text(workers.stream()
                                        .filter(worker -> worker.live() && worker.versionsBehind() > 0)
                                        .count()),
                                "behind the newest")),
                sections);
    }

    private static Grid table(LaneView lane, List<WorkerFigures> workers) {
        Grid table = new Grid(
                "Versions",
                "version",
                "created",
                "cause",
                "segments",
                "documents",
                "live tokens",
                "policy",
                "live workers");
        for (SnapshotManifest manifest : lane.versions().descendingMap().values()) {
            table.row(
                    Long.toString(manifest.getVersion()),
                    manifest.getCreatedAt(),
                    manifest.getCause(),
                    manifest.getSegments().size(),
                    VersionText.documents(manifest),
                    VersionText.liveTokens(manifest),
                    manifest.getPolicy().getNumber(),
                    workers.stream()
                            .filter(worker -> worker.live() && worker.version() == manifest.getVersion())
                            .count());
        }
        return table;
    }

    private static List<Section> compared(LaneView lane, String one, String other) {
        NavigableMap<Long, SnapshotManifest> versions = lane.versions();
        if (versions.size() < 2) {
            return List.of();
        }
        SnapshotManifest newest = version(versions, other, versions.lastEntry().getValue());
        SnapshotManifest before =
                version(versions, one, versions.lowerEntry(versions.lastKey()).getValue());
        List<String> names =
                versions.descendingKeySet().stream().map(String::valueOf).toList();
        Grid table =
                new Grid("What differs", "what", "version " + before.getVersion(), "version " + newest.getVersion());
        VersionText.differences(VersionText.fields(before), VersionText.fields(newest))
                .forEach((what, values) ->
                        table.row(what, values.get(0).toString(), values.get(1).toString()));
        return List.of(new Section(
                "Difference of two",
                "",
                new Form(
                        "/lane",
                        "Compare",
                        List.of(
                                Field.choice(
                                        "In lane",
                                        "lane",
                                        List.of(lane.lane().toString()),
                                        lane.lane().toString()),
                                Field.choice("Version", "one", names, Long.toString(before.getVersion())),
                                Field.choice("With version", "other", names, Long.toString(newest.getVersion())))),
                table,
                List.of()));
    }

    /** The version of a link, which may have gone since. */
    private static SnapshotManifest version(
            NavigableMap<Long, SnapshotManifest> versions, String text, SnapshotManifest otherwise) {
        return text == null || !text.matches("\\d{1,18}")
                ? otherwise
                : versions.getOrDefault(Long.parseLong(text), otherwise);
    }

    private static Grid workers(List<WorkerFigures> workers) {
        Grid table = new Grid(
                "Workers",
                "worker",
                "version",
                "versions behind",
                "skew",
                "last seen",
                "live",
                "freshness p50, ms",
                "p99, ms",
                "accepted/step",
                "failures",
                "last failure");
        for (WorkerFigures worker : workers) {
            table.row(
                    worker.worker(),
                    Long.toString(worker.version()),
                    Figures.bad(worker.versionsBehind(), worker.live() && worker.versionsBehind() > 0),
                    Figures.age(worker.skewMillis()),
                    Figures.age(worker.seenMillis()) + " ago",
                    Figures.bad(worker.live() ? "yes" : "no", !worker.live()),
                    Figures.known(worker.freshnessP50Millis()),
                    Figures.known(worker.freshnessP99Millis()),
                    worker.acceptedPerStep(),
                    worker.failures(),
                    worker.lastFailure());
        }
        return table;
    }

    static Page learning(Chosen chosen) {
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
        return series(name, told, manifest -> figure.applyAsDouble(manifest.getDrift()));
    }

    private static Series series(
            String name, Collection<SnapshotManifest> versions, Function<SnapshotManifest, Number> figure) {
        return new Series(
                name,
                versions.stream()
                        .map(manifest ->
                                List.of(manifest.getCreatedAt().toEpochMilli(), finite(figure.apply(manifest))))
                        .toList());
    }

    /** A browser's JSON has no other numbers. */
    private static Number finite(Number value) {
        return Double.isFinite(value.doubleValue()) ? value : 0;
    }

    private static Grid choices(List<EvaluatedChoice> choices) {
        Grid table = new Grid(
                "Choices", "choice", "generations", "accepted/step", "live accepted/step", "tokens/step, times live");
        choices.forEach(choice -> table.row(
                choice.getChoice(),
                choice.getGenerations(),
                ratio(choice.getAccepted(), choice.getSteps()),
                ratio(choice.getLiveAccepted(), choice.getLiveSteps()),
                ratio(choice.getLiveSteps(), choice.getSteps())));
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

    static Page outcomes(Chosen chosen) {
        LaneView lane = chosen.lane();
        if (lane == null) {
            return chosen.none("Outcomes");
        }
        OutcomeTally all = lane.outcomes();
        return new Page(
                "Outcomes of " + lane.lane(),
                "What verification said of drafts, since an hour before this console started.",
                List.of(
                        new Tile(Figures.text(all.requests()), "requests"),
                        new Tile(Figures.text(all.all().tokensPerStep()), "tokens/step"),
                        new Tile(Figures.text(all.all().acceptedPerStep()), "accepted/step"),
                        new Tile(Figures.text(all.gain()), "gain over own context")),
                List.of(
                        chosen.form(),
                        drafted(
                                "By source",
                                "Source kind of the longest match behind a token.",
                                "source",
                                all.bySource()),
                        drafted(
                                "By match length",
                                "Tokens that agreed before, at least.",
                                "match length",
                                all.byMatchLength()),
                        hours(lane)));
    }

    private static <K> Section drafted(String heading, String note, String key, Map<K, Drafted> parts) {
        Grid table = new Grid(heading, key, "drafted", "accepted", "accepted %");
        parts.forEach((name, part) -> table.row(
                name.toString(), part.drafted(), part.accepted(), Figures.percent(part.accepted(), part.drafted())));
        Section section = Section.of(heading, note, table);
        return parts.isEmpty()
                ? section
                : section.with(Chart.bars(
                        "Tokens by " + key,
                        "tokens",
                        parts.keySet().stream().map(Object::toString).toList(),
                        new Series(
                                "drafted",
                                parts.values().stream().map(Drafted::drafted).toList()),
                        new Series(
                                "accepted",
                                parts.values().stream().map(Drafted::accepted).toList())));
    }

    private static Section hours(LaneView lane) {
        Grid table = new Grid("By hour", "from, UTC", "requests", "steps", "tokens/step", "accepted/step");
        lane.hours()
                .descendingMap()
                .forEach((hour, tally) -> table.row(
                        Instant.ofEpochMilli(hour),
                        tally.requests(),
                        tally.all().steps(),
                        tally.all().tokensPerStep(),
                        tally.all().acceptedPerStep()));
        return Section.of("By hour", "", table);
    }

    private static Double ratio(long part, long whole) {
        return Ratio.of(part, whole);
    }
}
