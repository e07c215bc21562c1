package io.tailrace.lab.experiment;

import io.tailrace.lab.experiment.Trial.Finished;
import io.tailrace.lab.replay.ReplayProtocol;
import io.tailrace.suffix.draft.DraftPart;
import io.tailrace.terminal.WorkFolder;
import java.io.IOException;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import picocli.CommandLine.Command;

/** {@code tailrace bench parts}: what each part of the default drafter gives, alone and when left out. */
@Command(
        name = "parts",
        mixinStandardHelpOptions = true,
        sortOptions = false,
        description = {
            "What does each part of the default drafter give, alone and when it is left out? Places in the context and in shared"
                    + " segments vote always; \"tail\" are the prompts' last tokens that answers are remembered with.",
            "What the parts cost in segments is said as bytes a response token, with all of them and without each that keeps"
                    + " anything there: \"tail\", \"similar\" (signatures), \"token\" (which tokens are copied).",
            "At last is said how many microseconds the median draft takes, over all workloads. Such times need --threads 1, and replays"
                    + " that --results does not hold yet."
        })
public final class Parts extends ExperimentCommand {
    private static final Set<DraftPart> MEASURED = EnumSet.complementOf(EnumSet.of(DraftPart.OWN));
    private static final ReplayProtocol ONLINE = ReplayProtocol.online();
    private static final ReplayProtocol NO_TAIL = ONLINE.remembering(0);
    private static final String ALL = "all";
    private static final String NONE = "none";
    private static final String WITHOUT = "without ";
    private static final String ONLY = "only ";
    private static final String TAIL = "tail";
    /** Without what segments keep for one part: the other parts need nothing of their own there. */
    private static final Set<String> KEPT =
            Set.of(WITHOUT + TAIL, WITHOUT + DraftPart.SIMILAR.label(), WITHOUT + DraftPart.TOKEN.label());

    @Override
    String note() {
        return "Draft times compare with --threads 1 alone: replays side by side slow each other. In a small run the first variants"
                + " also wait for the compiler. A request's first draft looks up similar requests, too.";
    }

    @Override
    List<Trial> trials(Trials trials) {
        List<Trial> all = new ArrayList<>();
        all.addAll(trials.adaptive(ALL, Set.of(), ONLINE));
        all.addAll(trials.adaptive(WITHOUT + TAIL, Set.of(), NO_TAIL));
        all.addAll(trials.adaptive(NONE, MEASURED, NO_TAIL));
        all.addAll(trials.adaptive(ONLY + TAIL, MEASURED, ONLINE));
        for (DraftPart part : MEASURED) {
            all.addAll(trials.adaptive(WITHOUT + part.label(), Set.of(part), ONLINE));
            Set<DraftPart> others = EnumSet.copyOf(MEASURED);
            others.remove(part);
            all.addAll(trials.adaptive(ONLY + part.label(), others, NO_TAIL));
        }
        return all;
    }

    @Override
    List<ResultPage.Table> tables(List<Finished> finished) throws IOException {
        List<ResultPage.Table> tables = new ArrayList<>(table(finished, ALL, WITHOUT));
        tables.addAll(table(finished, NONE, ONLY));
        tables.add(bytes(finished));
        tables.add(new Comparison(finished).draftTimes());
        return tables;
    }

    /** What the answers take, by what the parts need of their prompts; it does not depend on the budget. */
    private static ResultPage.Table bytes(List<Finished> finished) throws IOException {
        Map<String, Map<String, SegmentBytes>> byWorkload = new LinkedHashMap<>();
        Map<String, SegmentBytes> pooled = new LinkedHashMap<>();
        try (WorkFolder folder = WorkFolder.open(null, "parts")) {
            for (Finished one : finished) {
                String variant = one.trial().variant();
                if (!variant.equals(ALL) && !KEPT.contains(variant)) {
                    continue;
                }
                for (String workload : one.result().byWorkload().keySet()) {
                    Map<String, SegmentBytes> of = byWorkload.computeIfAbsent(workload, name -> new LinkedHashMap<>());
                    if (!of.containsKey(variant)) {
                        of.put(variant, SegmentBytes.of(one.trial().run(), workload, folder.path()));
                        pooled.merge(variant, of.get(variant), SegmentBytes::plus);
                    }
                }
            }
        }
        List<List<String>> rows = new ArrayList<>();
        byWorkload.forEach((workload, bytes) -> rows.add(row(workload, bytes)));
        rows.add(row("**pooled**", pooled));
        List<String> heads = new ArrayList<>(List.of("workload"));
        heads.addAll(pooled.keySet());
        return new ResultPage.Table("segment bytes a response token", heads, rows);
    }

    private static List<String> row(String name, Map<String, SegmentBytes> bytes) {
        List<String> row = new ArrayList<>(List.of(name));
        bytes.values().forEach(one -> row.add(String.format(Locale.ROOT, "%.3f", one.perToken())));
        return row;
    }

    private static List<ResultPage.Table> table(List<Finished> finished, String whole, String prefix) {
        return new Comparison(finished.stream()
                        .filter(one -> one.trial().variant().equals(whole)
                                || one.trial().variant().startsWith(prefix))
                        .toList())
                .byStrategy(Comparison.ACCEPTED);
    }
}
