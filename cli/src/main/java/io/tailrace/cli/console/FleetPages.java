package io.tailrace.cli.console;

import io.tailrace.cli.audit.Finding;
import io.tailrace.cli.console.Page.Cell;
import io.tailrace.cli.console.Page.Field;
import io.tailrace.cli.console.Page.Form;
import io.tailrace.cli.console.Page.Grid;
import io.tailrace.cli.console.Page.Section;
import io.tailrace.cli.console.Page.Tile;
import io.tailrace.cli.fleet.FleetView;
import io.tailrace.cli.fleet.GenerationTrace;
import io.tailrace.cli.fleet.HeardEvent;
import io.tailrace.cli.fleet.HeardRejection;
import io.tailrace.cli.fleet.LaneFigures;
import java.util.List;
import java.util.Locale;

/** The pages that are of the whole installation. */
final class FleetPages {
    private static final long STALE_MILLIS = 60_000;
    private static final String JOB = "The job";

    private static final Section QUESTIONS = Section.of(
            "Where to look",
            "",
            new Grid("Questions", "question", "page", "what to look at")
                    .row("Which lane is stale?", page("Lanes", "/"), "a marked age")
                    .row("Who serves an old version?", page("Versions", "/lane"), "who serves what, lane by lane")
                    .row("Why was this record refused?", page("Rejections", "/rejections"), "reason and detail")
                    .row("What became of this request?", page("A generation", "/generation"), "its standing")
                    .row(
                            "What did the judge do last night?",
                            page("Learning", "/learning"),
                            "one lane's trials; page Events has those of all")
                    .row("Is anything lost?", page("Books", "/books"), "a check that failed")
                    .row("Which drafts are accepted?", page("Outcomes", "/outcomes"), "by source, length and place"));

    private FleetPages() {}

    static Page lanes(FleetView fleet, long nowMillis) {
        List<LaneFigures> lanes = fleet.lanes(nowMillis);
        Grid table = new Grid(
                "Lanes",
                "lane",
                "newest version's age",
                "pending tokens",
                "workers",
                "on newest",
                "drift alarm",
                "freshness p50, ms",
                "tokens/step",
                "gain",
                "documents",
                "live tokens",
                "newest version");
        lanes.forEach(lane -> table.row(
                Figures.link(lane.lane(), "/lane", "lane", lane.lane()),
                Figures.bad(Figures.age(lane.ageMillis()), isStale(lane)),
                Figures.known(lane.pendingTokens()),
                lane.workers(),
                Figures.bad(lane.workersOnNewest(), lane.workersOnNewest() < lane.workers()),
                Figures.bad(lane.alarm() ? "yes" : "no", lane.alarm()),
                Figures.known(lane.freshnessMillis()),
                lane.tokensPerStep(),
                lane.gain(),
                lane.documents(),
                lane.liveTokens(),
                lane.newestVersion() == 0 ? "-" : Long.toString(lane.newestVersion())));
        return new Page(
                "Lanes",
                "What each tenant's lane holds, and how fresh it is. A marked age: tokens have waited for over a minute.",
                tiles(lanes),
                List.of(
                        Section.of(
                                "All lanes",
                                "Gain: tokens a step over those of each request's own context alone, where the job or the workers count it.",
                                table),
                        QUESTIONS));
    }

    private static Cell page(String name, String path) {
        return new Cell(name, path, false, false);
    }

    private static boolean isStale(LaneFigures lane) {
        return lane.pendingTokens() > 0 && lane.ageMillis() > STALE_MILLIS;
    }

    private static List<Tile> tiles(List<LaneFigures> lanes) {
        return List.of(
                new Tile(Figures.text(lanes.size()), "lanes"),
                new Tile(
                        Figures.text(lanes.stream()
                                .mapToLong(LaneFigures::liveTokens)
                                .sum()),
                        "live tokens"),
                new Tile(Figures.text(lanes.stream().filter(FleetPages::isStale).count()), "stale lanes"),
                new Tile(Figures.text(lanes.stream().filter(LaneFigures::alarm).count()), "drift alarms"));
    }

    static Page events(FleetView fleet) {
        return new Page(
                "Events",
                "What the job has told since a day before this console started, newest first; its accounts are on page Books.",
                List.of(),
                List.of(Section.of("Newest first", "", events("Events", fleet.events()))));
    }

    static Grid events(String caption, List<HeardEvent> events) {
        Grid table = new Grid(caption, "time, UTC", "kind", "lane", "message", "numbers");
        events.forEach(
                event -> table.row(event.at(), event.kind(), lane(event.lane()), event.message(), event.figures()));
        return table;
    }

    private static Cell lane(String lane) {
        return lane.isEmpty() ? new Cell("all", "", false, false) : Figures.link(lane, "/lane", "lane", lane);
    }

    static Page rejections(FleetView fleet) {
        Grid table = new Grid("Rejections", "time, UTC", "reason", "lane", "request", "place", "detail");
        for (HeardRejection one : fleet.rejections()) {
            table.row(
                    one.at(),
                    one.reason(),
                    one.lane().isEmpty() ? "-" : one.lane(),
                    one.requestId() == null ? "-" : Figures.link(one.requestId(), "/generation", "id", one.requestId()),
                    one.place(),
                    one.detail());
        }
        return new Page(
                "Rejections",
                "Which generations were refused since a day before this console started, and why.",
                List.of(),
                List.of(Section.of("Newest first", "", table)));
    }

    static Section lookup(String requestId) {
        return Section.of(
                "Look up", "", new Form("/generation", "Look up", List.of(Field.text("Request id", "id", requestId))));
    }

    /** The page before anything is found. */
    static Page lookupOnly(String requestId, String lead) {
        return new Page("A generation", lead, List.of(), List.of(lookup(requestId)));
    }

    static Page generation(GenerationTrace trace) {
        return new Page(
                "A generation",
                trace.sentence(),
                List.of(),
                List.of(
                        lookup(trace.requestId()),
                        Section.of(
                                "What was found",
                                "Held by: the versions whose offsets reach the record. Topic generations keeps a day.",
                                found(trace))));
    }

    static Grid found(GenerationTrace trace) {
        Grid table = new Grid(
                "Generations of the request",
                "standing",
                "lane",
                "place",
                "producer",
                "completed, UTC",
                "response tokens",
                "held by",
                "why");
        for (GenerationTrace.Found found : trace.found()) {
            table.row(
                    found.standing().name().toLowerCase(Locale.ROOT),
                    found.lane().isEmpty() ? "-" : Figures.link(found.lane(), "/lane", "lane", found.lane()),
                    found.place(),
                    found.producer(),
                    found.completedAt(),
                    Figures.known(found.tokens()),
                    found.held(),
                    found.why());
        }
        return table;
    }

    /** The job as Flink knows it; why it does not tell, in its place. */
    static Section job(JobRest rest, long nowMillis) {
        try {
            JobRest.Told told = rest.ask();
            JobRest.Completed newest = told.completed();
            long age = newest == null ? -1 : Math.max(0, nowMillis - newest.atMillis());
            return Section.of(
                    JOB,
                    "As Flink's REST interface tells it. A marked age: no checkpoint has been completed for over a minute."
                            + " A few checkpoints fail at each start, before all of the job runs.",
                    new Grid(
                                    JOB,
                                    "state",
                                    "restarts",
                                    "newest checkpoint's age",
                                    "its duration, ms",
                                    "failed checkpoints")
                            .row(
                                    Figures.bad(told.state(), !told.state().equals("RUNNING")),
                                    told.restarts(),
                                    Figures.bad(Figures.age(age), age > STALE_MILLIS),
                                    newest == null ? null : newest.durationMillis(),
                                    told.failedCheckpoints()));
        } catch (JobRest.SilentException e) {
            return Section.of(JOB, e.getMessage(), (Grid) null);
        }
    }

    static Page books(List<Finding> findings) {
        Grid table = new Grid("Checks", "lane", "check", "result", "found");
        findings.forEach(finding -> table.row(
                lane(finding.lane()),
                finding.check(),
                Figures.bad(
                        finding.result().name().toLowerCase(Locale.ROOT), finding.result() == Finding.Result.FAILED),
                finding.detail()));
        long failed = findings.stream()
                .filter(finding -> finding.result() == Finding.Result.FAILED)
                .count();
        return new Page(
                "Books",
                "Whether anything is lost: the job's accounts against the topics, as 'tailrace audit' checks them.",
                List.of(new Tile(Figures.text(findings.size()), "checks"), new Tile(Figures.text(failed), "failed")),
                List.of(Section.of(
                        "Checks",
                        "Files in the store and answers one by one are not read here: 'tailrace audit --store URI --deep' does.",
                        table)));
    }
}
