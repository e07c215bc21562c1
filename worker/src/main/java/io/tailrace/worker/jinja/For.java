package io.tailrace.worker.jinja;

import java.util.Iterator;
import java.util.List;
import java.util.NoSuchElementException;

/**
 * A loop.
 *
 * @param test which items count, or null
 * @param otherwise what is rendered if no item came to the end of the body
 */
record For(
        int line,
        Target target,
        Expression items,
        Expression test,
        boolean recursive,
        List<Statement> body,
        List<Statement> otherwise)
        implements Statement {

    @Override
    public Flow render(Rendering at) {
        return run(at, at.value(items), 1);
    }

    Flow run(Rendering at, Object value, int depth) {
        Iterator<Object> all = Values.iterate(value);
        Scope around = at.scope();
        Loop loop = test == null
                ? new Loop(this, around, all, value instanceof Generator ? null : Values.length(value), depth)
                : new Loop(this, around, new Tested(at, around, all), null, depth);
        boolean finished = false;
        Flow flow = Flow.NEXT;
        while (flow != Flow.BREAK && loop.next(at)) {
            Scope inner = new Scope(around);
            inner.set("loop", loop);
            flow = at.scoped(inner, () -> {
                target.set(at, loop.current());
                return at.body(body);
            });
            finished |= flow == Flow.NEXT;
        }
        return finished ? Flow.NEXT : at.scoped(new Scope(around), () -> at.body(otherwise));
    }

    /** The items that count, each tested when it is asked for. */
    private final class Tested implements Iterator<Object> {
        private final Rendering at;
        private final Scope around;
        private final Iterator<Object> all;
        private Object next;
        private boolean found;

        Tested(Rendering at, Scope around, Iterator<Object> all) {
            this.at = at;
            this.around = around;
            this.all = all;
        }

        @Override
        public boolean hasNext() {
            while (!found && all.hasNext()) {
                at.spend(1);
                next = all.next();
                found = at.scoped(new Scope(around), () -> {
                    target.set(at, next);
                    next = target instanceof Target.Several ? new Tuple(Values.list(at, next)) : next;
                    return Values.truth(at.value(test));
                });
            }
            return found;
        }

        @Override
        public Object next() {
            if (!hasNext()) {
                throw new NoSuchElementException();
            }
            found = false;
            return next;
        }
    }
}
