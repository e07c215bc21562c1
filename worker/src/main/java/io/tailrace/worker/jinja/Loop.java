package io.tailrace.worker.jinja;

import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;

/** The loop that a template is in: where it stands, and what comes before and after. */
final class Loop implements Callee {
    /** What a round costs: it has names of its own. */
    private static final int STEPS = 4;

    private final For statement;
    private final Scope around;
    private final int depth;
    private Iterator<Object> rest;
    private Integer length;
    private Object previous = new Undefined("there is no previous item");
    private Object current = new Undefined("there is no item");
    private List<Object> changing;
    private int index;

    Loop(For statement, Scope around, Iterator<Object> items, Integer length, int depth) {
        this.statement = statement;
        this.around = around;
        this.depth = depth;
        this.length = length;
        rest = items;
    }

    boolean next(Rendering at) {
        if (!rest.hasNext()) {
            return false;
        }
        at.spend(STEPS);
        previous = index == 0 ? new Undefined("there is no previous item") : current;
        current = rest.next();
        index++;
        return true;
    }

    Object current() {
        return current;
    }

    int index() {
        return index;
    }

    int length() {
        if (length == null) {
            List<Object> all = ahead();
            length = index + all.size();
        }
        return length;
    }

    private List<Object> ahead() {
        List<Object> all = new ArrayList<>();
        rest.forEachRemaining(all::add);
        rest = all.iterator();
        return all;
    }

    private Object after() {
        List<Object> all = ahead();
        return all.isEmpty() ? new Undefined("there is no next item") : all.get(0);
    }

    Object attribute(String name) {
        return switch (name) {
            case "index" -> (long) index;
            case "index0" -> index - 1L;
            case "revindex" -> length() - index + 1L;
            case "revindex0" -> (long) length() - index;
            case "first" -> index == 1;
            case "last" -> !rest.hasNext();
            case "length" -> (long) length();
            case "depth" -> (long) depth;
            case "depth0" -> depth - 1L;
            case "previtem" -> previous;
            case "nextitem" -> after();
            case "cycle" -> Methods.of("cycle", (at, arguments) -> cycle(arguments.positional()));
            case "changed" -> Methods.of("changed", (at, arguments) -> isChanged(at, arguments.positional()));
            default -> Access.ABSENT;
        };
    }

    private Object cycle(List<Object> values) {
        if (values.isEmpty()) {
            throw new JinjaException("loop.cycle wants values");
        }
        return values.get((index - 1) % values.size());
    }

    private boolean isChanged(Rendering at, List<Object> values) {
        boolean changed = changing == null || !Comparison.equal(at, changing, values);
        changing = values;
        return changed;
    }

    /** A recursive loop goes through the items of an item. */
    @Override
    public Object call(Rendering at, Arguments arguments) {
        if (!statement.recursive()) {
            throw new JinjaException("the loop is not marked 'recursive'");
        }
        Object items = arguments.bind("loop", 1, "iterable").get(0);
        return at.called(() -> at.captured(() -> at.scoped(around, () -> statement.run(at, items, depth + 1))));
    }
}
