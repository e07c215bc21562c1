package io.tailrace.worker.jinja;

import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;

/** The loop that a template is in: where it stands, and what comes before and after. */
final class Loop {
    /** What a round costs: it has names of its own. */
    private static final int STEPS = 4;

    private Iterator<Object> rest;
    private Integer length;
    private Object previous = new Undefined("there is no previous item");
    private Object current = new Undefined("there is no item");
    private int index;

    Loop(Iterator<Object> items, Integer length) {
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

    private int length() {
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
            case "previtem" -> previous;
            case "nextitem" -> after();
            case "cycle", "depth", "depth0", "changed" -> throw JinjaException.leftOut("loop." + name);
            default -> Access.ABSENT;
        };
    }
}
