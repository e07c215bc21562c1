package io.tailrace.schemas;

import java.util.AbstractList;
import java.util.List;
import java.util.RandomAccess;

/** Token ids between Avro's lists and plain arrays. */
public final class TokenIds {
    private TokenIds() {}

    /** The ids; the list's own array where it is one of {@link #toList}, so not to be changed. */
    public static int[] toArray(List<Integer> list) {
        if (list instanceof ListView view) {
            return view.ids;
        }
        int[] ids = new int[list.size()];
        for (int i = 0; i < ids.length; i++) {
            ids[i] = list.get(i);
        }
        return ids;
    }

    /** A read-only list over the array, for an Avro record; the array must not change while the record is in use. */
    public static List<Integer> toList(int[] ids) {
        return new ListView(ids);
    }

    private static final class ListView extends AbstractList<Integer> implements RandomAccess {
        private final int[] ids;

        private ListView(int[] ids) {
            this.ids = ids;
        }

        @Override
        public Integer get(int index) {
            return ids[index];
        }

        @Override
        public int size() {
            return ids.length;
        }
    }
}
