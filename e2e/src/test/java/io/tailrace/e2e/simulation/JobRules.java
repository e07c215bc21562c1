package io.tailrace.e2e.simulation;

import static io.tailrace.e2e.simulation.BrokenInvariantException.broken;

import io.tailrace.cli.audit.Books;
import io.tailrace.cli.audit.Finding;
import io.tailrace.cli.audit.RecordsAccount;
import io.tailrace.e2e.simulation.Truth.Answer;
import io.tailrace.operators.admission.AdmittedGeneration;
import io.tailrace.operators.intake.SimulatedIntake;
import io.tailrace.operators.publishing.SimulatedPublishers;
import io.tailrace.operators.publishing.SimulatedPublishers.Content;
import io.tailrace.operators.store.StoredSegment;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** A job's books close: each record is read once or counted as lost, each answer is in one place or counted as gone. */
final class JobRules {
    private final Truth truth;

    JobRules(Truth truth) {
        this.truth = truth;
    }

    /**
     * A run is about to read this offset of topic generations: each before it was read or is counted as lost. A gap of one that comes while it reads is
     * taken for a producer's transaction marker.
     */
    void reading(Run run, long offset) {
        Checkpoint.Books books = run.books();
        if (books.firstRead < 0) {
            books.firstRead = offset;
        } else if (run.hasRead() && offset == run.generationsAt() + 1) {
            books.mistaken++;
        }
        books.read++;
    }

    /** A checkpoint has passed all tasks: what admission has passed by then, an audit finds in the accounts. */
    void checkpoint(Run run) {
        Checkpoint.Books books = run.books();
        Map<String, Long> numbers =
                Map.of("recordsPassed", books.passed, "recordsTaken", books.taken, "recordsLost", books.lost);
        Finding audited = Books.records(new RecordsAccount(books.taken, numbers, true), Long.MAX_VALUE);
        if (audited.result() != Finding.Result.OK) {
            throw broken("job %d: an audit finds %s", run.job().number(), audited.detail());
        }
    }

    /** After each event. */
    void check() {
        truth.check();
        for (SimulatedJob job : truth.jobs()) {
            if (job.run() != null) {
                checkOffsets(job.run());
                checkBooks(job.run());
            }
        }
    }

    private void checkOffsets(Run run) {
        Checkpoint.Books books = run.books();
        if (books.firstRead >= 0 && run.generationsAt() - books.firstRead != books.read + books.lost + books.mistaken) {
            throw broken(
                    "job %d is at offset %d of topic generations, began at %d, has read %d and counts %d as lost",
                    run.job().number(), run.generationsAt(), books.firstRead, books.read, books.lost);
        }
    }

    private void checkBooks(Run run) {
        for (String scope : World.SCOPES) {
            checkBooks(run, scope);
        }
    }

    private void checkBooks(Run run, String scope) {
        String lane = World.lane(scope);
        Map<Integer, String> places = new LinkedHashMap<>();
        long deletedInShards = 0;
        for (int shard = 0; shard < World.SHARDS; shard++) {
            String key = lane + "#" + shard;
            Object counted = run.state("intake").of(SimulatedIntake.COUNTED).get(key);
            deletedInShards +=
                    counted == null ? 0 : SimulatedIntake.counters(counted).tokensDeleted();
        }
        Object state = run.state("publisher").of(SimulatedPublishers.LANE).get(lane);
        Map<String, Long> numbers = Map.of();
        if (state != null) {
            Content content = SimulatedPublishers.content(state, World.PUBLISHING);
            numbers = content.numbers();
            for (AdmittedGeneration waiting : content.waiting()) {
                place(places, truth.id(waiting.requestHigh(), waiting.requestLow()), "what waits");
            }
            for (StoredSegment segment : content.segments()) {
                truth.texts(segment.path()).forEach(id -> place(places, id, segment.path()));
            }
            balance(run, lane, numbers);
            for (String command : content.commands()) {
                if (command.startsWith(Intruder.NAME)) {
                    throw broken(
                            "job %d has obeyed %s, which nobody trusted has signed",
                            run.job().number(), command);
                }
            }
        }
        checkGone(run, scope, places.keySet(), numbers, deletedInShards);
    }

    private static void place(Map<Integer, String> places, int id, String place) {
        String other = places.put(id, place);
        if (other != null) {
            throw broken("request %d is in %s and in %s", id, other, place);
        }
    }

    private static void balance(Run run, String lane, Map<String, Long> numbers) {
        long accounted = 0;
        for (String part : List.of("tokensLive", "tokensPending", "tokensExpired", "tokensDeleted", "tokensLost")) {
            accounted += numbers.get(part);
        }
        if (numbers.get("tokensAdmitted") != accounted) {
            throw broken(
                    "the books of lane %s of job %d do not close: %s",
                    lane, run.job().number(), numbers);
        }
    }

    /** What was admitted and is nowhere has expired, was deleted or is counted as lost. */
    private void checkGone(
            Run run, String scope, Set<Integer> places, Map<String, Long> numbers, long deletedInShards) {
        long expired = numbers.getOrDefault("tokensExpired", 0L);
        long lost = numbers.getOrDefault("tokensLost", 0L);
        long gone = 0;
        long unexplained = 0;
        for (int id : run.books().admitted) {
            Answer answer = truth.answers().get(id);
            if (!answer.scope().equals(scope) || places.contains(id)) {
                continue;
            }
            gone += answer.tokens().length;
            boolean covered = truth.isCovered(id)
                    || truth.isCoveredAsOf(answer, run.books().completedAt.get(id));
            unexplained += covered ? 0 : answer.tokens().length;
        }
        if (unexplained > expired + lost) {
            throw broken(
                    "%d tokens of lane %s of job %d are nowhere, %d are counted as expired and %d as lost",
                    unexplained, scope, run.job().number(), expired, lost);
        }
        if (gone < expired + lost) {
            throw broken(
                    "%d tokens of lane %s of job %d are gone, and %d are counted as expired and %d as lost (%d deleted"
                            + " in shards)",
                    gone, scope, run.job().number(), expired, lost, deletedInShards);
        }
    }
}
