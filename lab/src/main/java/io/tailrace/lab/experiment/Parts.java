package io.tailrace.lab.experiment;

import io.tailrace.lab.experiment.Trial.Finished;
import io.tailrace.lab.replay.ReplayProtocol;
import io.tailrace.lab.replay.ReplayTally;
import io.tailrace.suffix.draft.DraftPart;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import picocli.CommandLine.Command;

/** {@code tailrace bench parts}: what each part of the default drafter gives, alone and when left out. */
@Command(
        name = "parts",
        mixinStandardHelpOptions = true,
        sortOptions = false,
        description = {
            "What does each part of the default drafter give, alone and when it is left out? Places in the context and in shared"
                    + " segments vote always; \"tail\" are the prompts' last tokens that answers are remembered with."
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
    private static final Comparison.Figure MICROS =
            new Comparison.Figure("median draft in microseconds, in the replay", tally -> tally.draftMicros(0.5));

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
    List<ResultPage.Table> tables(List<Finished> finished) {
        List<ResultPage.Table> tables = new ArrayList<>(table(finished, ALL, WITHOUT, Comparison.ACCEPTED));
        tables.addAll(table(finished, NONE, ONLY, Comparison.ACCEPTED));
        if (finished.stream()
                .flatMap(one -> one.result().byWorkload().values().stream())
                .allMatch(Parts::isTimed)) {
            tables.addAll(table(finished, ALL, WITHOUT, MICROS));
        }
        return tables;
    }

    /** Replays that an earlier run kept have no times. */
    private static boolean isTimed(ReplayTally tally) {
        return tally.draftMicros(1) > 0;
    }

    private static List<ResultPage.Table> table(
            List<Finished> finished, String whole, String prefix, Comparison.Figure figure) {
        return new Comparison(finished.stream()
                        .filter(one -> one.trial().variant().equals(whole)
                                || one.trial().variant().startsWith(prefix))
                        .toList())
                .byStrategy(figure);
    }
}
