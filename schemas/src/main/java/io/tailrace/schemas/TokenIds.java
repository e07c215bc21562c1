package io.tailrace.schemas;

import java.util.List;
import org.apache.avro.generic.PrimitivesArrays;

/** Token ids between Avro's lists and plain arrays. */
public final class TokenIds {
    private TokenIds() {}

    public static int[] toArray(List<Integer> list) {
        int[] ids = new int[list.size()];
        if (list instanceof PrimitivesArrays.IntArray unboxed) {
            for (int i = 0; i < ids.length; i++) {
                ids[i] = unboxed.getInt(i);
            }
        } else {
            for (int i = 0; i < ids.length; i++) {
                ids[i] = list.get(i);
            }
        }
        return ids;
    }

    /** A list for an Avro record, without boxing the ids. */
    public static List<Integer> toList(int[] ids) {
        PrimitivesArrays.IntArray list = new PrimitivesArrays.IntArray(ids.length, RESPONSE_SCHEMA);
        for (int i = 0; i < ids.length; i++) {
            list.add(i, ids[i]);
        }
        return list;
    }

    private static final org.apache.avro.Schema RESPONSE_SCHEMA =
            Generation.getClassSchema().getField("response").schema();
}
