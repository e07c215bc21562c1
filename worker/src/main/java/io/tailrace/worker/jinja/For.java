package io.tailrace.worker.jinja;

import java.util.Iterator;
import java.util.List;

/**
 * A loop.
 *
 * @param test which items count, or null
 * @param otherwise what is rendered if no item came to the end of the body
 */
record For(Target target, Expression items, Expression test, List<Statement> body, List<Statement> otherwise)
        implements Statement.Action {

    @Override
    public Statement.Flow render(Rendering at) {
        Object value = at.value(items);
        Scope around = at.scope();
        Loop loop = test == null
                ? new Loop(Values.iterate(value), Values.length(value))
                : new Loop(tested(at, around, value), null);
        boolean finished = false;
        Statement.Flow flow = Statement.Flow.NEXT;
        while (flow != Statement.Flow.BREAK && loop.next(at)) {
            Scope inner = new Scope(around);
            inner.set("loop", loop);
            flow = at.scoped(inner, () -> {
                target.set(at, loop.current());
                return at.body(body);
            });
            finished |= flow == Statement.Flow.NEXT;
        }
        return finished ? Statement.Flow.NEXT : at.scoped(new Scope(around), () -> at.body(otherwise));
    }

    /** The items that count, each tested when it is asked for. */
    private Iterator<Object> tested(Rendering at, Scope around, Object value) {
        return Values.stream(at, Values.iterate(value))
                .map(item -> target.isOne() ? item : new Tuple(Values.list(at, item)))
                .filter(item -> at.scoped(new Scope(around), () -> {
                    target.set(at, item);
                    return Values.truth(at.value(test));
                }))
                .iterator();
    }
}
