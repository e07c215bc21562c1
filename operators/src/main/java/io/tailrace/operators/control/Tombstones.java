package io.tailrace.operators.control;

import io.tailrace.operators.admission.AdmissionOptions;
import io.tailrace.schemas.RequestHash;
import io.tailrace.suffix.segment.GenerationEntry;
import java.util.HashMap;
import java.util.Map;
import java.util.function.Predicate;

/**
 * Tombstones of one lane, arranged for asking: is this generation to be forgotten? A request is meant by its id, so its clock may
 * have been ahead by as much as admission allows; of a scope what was completed by then, as admission set it down.
 * One thread asks and adds; others get a copy, to which nothing is added.
 */
public final class Tombstones implements Predicate<GenerationEntry> {
    private final Map<RequestHash, Long> requestsUntil = new HashMap<>();
    private long scopeUntil = Long.MIN_VALUE;

    public Tombstones(Iterable<Tombstone> tombstones) {
        tombstones.forEach(this::add);
    }

    /** One more. */
    public void add(Tombstone tombstone) {
        if (tombstone.wholeScope()) {
            scopeUntil = Math.max(scopeUntil, tombstone.issuedAt());
        } else {
            RequestHash request = new RequestHash(tombstone.requestHigh(), tombstone.requestLow());
            requestsUntil.merge(request, tombstone.issuedAt() + AdmissionOptions.Limits.FUTURE_MILLIS_MAX, Math::max);
        }
    }

    public boolean covers(long high, long low, long completedAt) {
        if (completedAt <= scopeUntil) {
            return true;
        }
        if (requestsUntil.isEmpty()) {
            return false;
        }
        Long until = requestsUntil.get(new RequestHash(high, low));
        return until != null && completedAt <= until;
    }

    @Override
    public boolean test(GenerationEntry entry) {
        return covers(entry.requestHigh(), entry.requestLow(), entry.completedAtMillis());
    }
}
