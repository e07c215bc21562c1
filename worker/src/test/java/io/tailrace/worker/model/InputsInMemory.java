package io.tailrace.worker.model;

import com.sun.jna.Native;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.ArrayList;
import java.util.List;

/** A batch of trees written into memory as a model's engine would, and read back as whoever completed it has left it. */
final class InputsInMemory {
    private final List<TreeInput> batch;
    private final int vocabulary;
    private final int[] firstRow;
    private final int[] firstCell;
    private final int rows;
    private final ByteBuffer bytes;

    InputsInMemory(List<TreeInput> batch, int vocabulary) {
        this.batch = batch;
        this.vocabulary = vocabulary;
        firstRow = new int[batch.size() + 1];
        firstCell = new int[batch.size() + 1];
        for (int input = 0; input < batch.size(); input++) {
            int size = batch.get(input).size();
            firstRow[input + 1] = firstRow[input] + size;
            firstCell[input + 1] = firstCell[input] + size * size;
        }
        rows = firstRow[batch.size()];
        bytes = ByteBuffer.allocateDirect(2 * Long.BYTES * rows + firstCell[batch.size()])
                .order(ByteOrder.LITTLE_ENDIAN);
        for (int input = 0; input < batch.size(); input++) {
            write(input);
        }
    }

    PlannedPass planned() {
        long tokens = com.sun.jna.Pointer.nativeValue(Native.getDirectBufferPointer(bytes));
        long positions = tokens + (long) Long.BYTES * rows;
        return new PlannedPass("cpu", tokens, positions, positions + (long) Long.BYTES * rows, vocabulary, this::seat);
    }

    /** The trees as they stand in memory now: a node hangs on the last node that it may look at. */
    List<TreeInput> read() {
        List<TreeInput> trees = new ArrayList<>();
        for (int input = 0; input < batch.size(); input++) {
            int size = batch.get(input).size();
            int[] tokens = new int[size];
            int[] parents = new int[size];
            for (int node = 0; node < size; node++) {
                tokens[node] = (int) bytes.getLong(Long.BYTES * (firstRow[input] + node));
                parents[node] = node - 1;
                while (parents[node] >= 0 && bytes.get(cell(input, node, parents[node])) != 0) {
                    parents[node]--;
                }
                long expected =
                        parents[node] < 0 ? batch.get(input).sequence().length() : position(input, parents[node]) + 1;
                if (position(input, node) != expected) {
                    throw new IllegalStateException(
                            "node " + node + " stands at " + position(input, node) + ", not " + expected);
                }
            }
            trees.add(new TreeInput(
                    batch.get(input).sequence(),
                    tokens,
                    parents,
                    batch.get(input).rowsFrom()));
        }
        return trees;
    }

    private void write(int input) {
        TreeInput tree = batch.get(input);
        for (int node = 0; node < tree.size(); node++) {
            int parent = tree.parents()[node];
            long position = parent < 0 ? tree.sequence().length() : position(input, parent) + 1;
            bytes.putLong(Long.BYTES * (firstRow[input] + node), tree.tokens()[node]);
            bytes.putLong(Long.BYTES * (rows + firstRow[input] + node), position);
            for (int other = 0; other < tree.size(); other++) {
                boolean seen = other == node || (parent >= 0 && bytes.get(cell(input, parent, other)) == 0);
                bytes.put(cell(input, node, other), (byte) (seen ? 0 : 1));
            }
        }
    }

    private PlannedPass.Seat seat(int input, int node) {
        int size = batch.get(input).size();
        int position = (int) (node == 0 ? batch.get(input).sequence().length() - 1 : position(input, node - 1));
        return new PlannedPass.Seat(
                firstCell[input] + (long) node * size + node, firstRow[input] + node, size, position);
    }

    private long position(int input, int node) {
        return bytes.getLong(Long.BYTES * (rows + firstRow[input] + node));
    }

    private int cell(int input, int node, int other) {
        return 2 * Long.BYTES * rows
                + firstCell[input]
                + node * batch.get(input).size()
                + other;
    }
}
