package io.tailrace.operators.publishing;

import io.tailrace.operators.admission.AdmittedGeneration;
import io.tailrace.operators.store.StoredSegment;
import io.tailrace.schemas.RequestHash;
import io.tailrace.suffix.segment.GenerationEntry;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** Segments as the documents they hold, in memory, and merges by the dullest rule: the twin of a store and of what merges in it. */
final class TwinStore {
    /** A generation as the twin knows it. */
    record Doc(GenerationEntry entry, int tokens) {
        static Doc of(String request, long completedAt, int tokens) {
            RequestHash hash = RequestHash.of(request);
            return new Doc(new GenerationEntry(hash.high(), hash.low(), "worker", completedAt), tokens);
        }

        static Doc of(AdmittedGeneration generation) {
            return new Doc(generation.toInput().entry(), generation.tokens().length);
        }

        long completedAt() {
            return entry.completedAtMillis();
        }
    }

    private final Map<String, List<Doc>> segments = new HashMap<>();

    StoredSegment put(List<Doc> docs) {
        String path = "segment-" + segments.size();
        segments.put(path, docs);
        long tokens = docs.stream().mapToLong(Doc::tokens).sum();
        long newest = docs.stream().mapToLong(Doc::completedAt).max().orElseThrow();
        return new StoredSegment(path, path + "-sidecar", path, 1, docs.size(), tokens, tokens, newest, 0, 0);
    }

    /** A segment's documents; of null, none. */
    List<Doc> docs(StoredSegment stored) {
        return stored == null ? List.of() : segments.get(stored.path());
    }

    /** All that the lane's segments hold now. */
    Set<Doc> layout(Lane lane) {
        Set<Doc> docs = new HashSet<>();
        lane.layout().older().forEach(segment -> docs.addAll(docs(segment.stored())));
        if (lane.layout().newest() != null) {
            docs.addAll(docs(lane.layout().newest().stored()));
        }
        return docs;
    }

    /** What a side thread would have brought back: newest first as long as the budget lasts. */
    MergePlan.Outcome merge(MergePlan plan) {
        List<Doc> kept = new ArrayList<>();
        long expired = 0;
        long deleted = 0;
        List<Doc> docs = new ArrayList<>();
        plan.inputs().forEach(input -> docs.addAll(segments.get(input.path())));
        plan.generations().forEach(generation -> docs.add(Doc.of(generation)));
        docs.sort(Comparator.comparingLong(Doc::completedAt).reversed());
        long budget = plan.retention().liveTokensMax();
        for (Doc doc : docs) {
            if (plan.retention().deleted().test(doc.entry())) {
                deleted += doc.tokens();
            } else if (doc.completedAt() < plan.retention().completedAfterMillis()
                    || plan.retention().expired().test(doc.entry())) {
                expired += doc.tokens();
            } else if (doc.tokens() > budget) {
                expired += doc.tokens();
                budget = 0;
            } else {
                budget -= doc.tokens();
                kept.add(doc);
            }
        }
        return new MergePlan.Outcome(plan, kept.isEmpty() ? null : put(kept), expired, deleted, null);
    }
}
