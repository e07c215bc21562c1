package io.tailrace.cli.console;

import io.tailrace.cli.console.Page.Chart;
import io.tailrace.cli.console.Page.Grid;
import io.tailrace.cli.console.Page.Section;
import io.tailrace.cli.console.Page.Series;
import io.tailrace.cli.console.Page.Tile;
import io.tailrace.cli.fleet.LaneView;
import io.tailrace.cli.fleet.OutcomeTally;
import io.tailrace.cli.fleet.OutcomeTally.Drafted;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/** What verification said of a lane's drafts. */
final class OutcomesPage {
    private OutcomesPage() {}

    static Page of(ChosenLane chosen) {
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
                        positions(all.byPosition()),
                        CostCurves.section(lane.costCurve()),
                        hours(lane)));
    }

    /** Of the steps that drafted so far, which part accepted so far. */
    private static Section positions(List<Drafted> byPosition) {
        Grid table = new Grid("By position", "position", "steps that drafted", "accepted", "accepted %");
        List<String> names = new ArrayList<>();
        List<Double> shares = new ArrayList<>();
        for (Drafted steps : byPosition) {
            names.add(Integer.toString(names.size() + 1));
            Double share = Figures.percent(steps.accepted(), steps.drafted());
            shares.add(share == null ? 0 : share);
            table.row(names.get(names.size() - 1), steps.drafted(), steps.accepted(), share);
        }
        Section section = Section.of(
                "By position",
                "Of the steps whose draft had a token at a position, from 1, how many accepted one there. A tree counts once.",
                table);
        return byPosition.isEmpty()
                ? section
                : section.with(
                        Chart.bars("Acceptance by position", "accepted %", names, new Series("accepted %", shares)));
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
}
