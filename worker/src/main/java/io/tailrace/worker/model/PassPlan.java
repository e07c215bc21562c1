package io.tailrace.worker.model;

import io.tailrace.worker.model.PlannedPass.Seat;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.stream.IntStream;

/**
 * One forward pass in numbers: what an engine needs to know of a batch of trees, as flat arrays.
 *
 * <p>Tokens are packed without padding, group by group; only attention pads. {@link #indices} holds, in this order: of all
 * nodes the token ids, the positions, and the cache rows to write; the nodes whose logits are wanted; then for each group:
 * for each place of the padded queries (inputs x width) the node that fills it, for each node its place there, and the cache
 * rows to read (inputs x columns). {@link #blocked} holds for each group inputs x width x columns bytes, 1 where a query must
 * not look.
 */
public final class PassPlan {
    /** Numbers of {@link #dimensions} a group. */
    public static final int GROUP_DIMENSIONS = 5;

    private final List<TreeInput> batch;
    private final List<PassGroup> groups;
    private final int[] firstNode;
    private final int[] firstRow;
    private final int[] firstCell;
    private final int[] columns;
    private final int nodes;
    private final int rows;
    private final long[] indices;
    private final byte[] blocked;

    private PassPlan(List<TreeInput> batch, List<PassGroup> groups) {
        this.batch = batch;
        this.groups = groups;
        firstNode = new int[batch.size()];
        firstRow = new int[batch.size()];
        firstCell = new int[batch.size()];
        columns = new int[batch.size()];
        int nodeCount = 0;
        int rowCount = 0;
        int groupIndices = 0;
        int cells = 0;
        for (PassGroup group : groups) {
            for (int index : group.inputs()) {
                TreeInput input = batch.get(index);
                firstNode[index] = nodeCount;
                firstRow[index] = rowCount;
                nodeCount += input.size();
                rowCount += input.size() - input.rowsFrom();
                columns[index] = group.columns();
            }
            int places = Math.multiplyExact(group.inputs().size(), group.width());
            groupIndices += places + group.nodes() + group.inputs().size() * group.columns();
            cells = Math.addExact(cells, Math.multiplyExact(places, group.columns()));
        }
        nodes = nodeCount;
        rows = rowCount;
        indices = new long[3 * nodes + rows + groupIndices];
        blocked = new byte[cells];
        fill();
    }

    /**
     * Plans a pass over sequences that have already taken their rows.
     *
     * @param paddingCellsMax query-key pairs that may be wasted to spare a further group
     */
    static PassPlan of(List<TreeInput> batch, long paddingCellsMax) {
        List<PassGroup> groups = new ArrayList<>();
        IntStream.range(0, batch.size())
                .boxed()
                .sorted(Comparator.comparingInt(index -> -batch.get(index).size()))
                .forEach(index -> {
                    TreeInput input = batch.get(index);
                    PassGroup group = groups.stream()
                            .filter(candidate -> candidate.welcomes(input, paddingCellsMax))
                            .findFirst()
                            .orElseGet(() -> {
                                groups.add(new PassGroup());
                                return groups.get(groups.size() - 1);
                            });
                    group.add(index, input);
                });
        return new PassPlan(batch, groups);
    }

    /** Node count, wanted rows, then for each group: its first node, its nodes, inputs, width, columns. */
    public long[] dimensions() {
        long[] dimensions = new long[2 + GROUP_DIMENSIONS * groups.size()];
        dimensions[0] = nodes;
        dimensions[1] = rows;
        int at = 2;
        for (PassGroup group : groups) {
            dimensions[at++] = firstNode[group.inputs().get(0)];
            dimensions[at++] = group.nodes();
            dimensions[at++] = group.inputs().size();
            dimensions[at++] = group.width();
            dimensions[at++] = group.columns();
        }
        return dimensions;
    }

    public long[] indices() {
        return indices;
    }

    public byte[] blocked() {
        return blocked;
    }

    /** Rows of logits that the pass computes. */
    public int rows() {
        return rows;
    }

    /** The row of logits of an input's node. */
    public int row(int input, int node) {
        TreeInput tree = batch.get(input);
        if (node < tree.rowsFrom() || node >= tree.size()) {
            throw new IndexOutOfBoundsException("input %d has logits of nodes %d to %d, not of %d"
                    .formatted(input, tree.rowsFrom(), tree.size() - 1, node));
        }
        return firstRow[input] + node - tree.rowsFrom();
    }

    /** Where an input's node stands, for who writes it after the plan. */
    public Seat seat(int input, int node) {
        int length = batch.get(input).sequence().length();
        int row = firstNode[input] + node;
        long cell = firstCell[input] + (long) node * columns[input] + length + node;
        int position = node == 0 ? length - 1 : (int) indices[nodes + row - 1];
        return new Seat(cell, row, columns[input], position);
    }

    /** All nodes. */
    public int nodes() {
        return nodes;
    }

    private void fill() {
        for (int index = 0; index < batch.size(); index++) {
            fillNodes(index);
        }
        int at = 3 * nodes + rows;
        int cell = 0;
        for (PassGroup group : groups) {
            at = fillPlaces(group, at);
            at = fillRows(group, at);
            for (int index : group.inputs()) {
                firstCell[index] = cell;
                fillBlocked(batch.get(index), cell, group.columns(), group.width());
                cell += group.width() * group.columns();
            }
        }
    }

    private void fillNodes(int index) {
        TreeInput input = batch.get(index);
        CachedSequence sequence = (CachedSequence) input.sequence();
        int length = sequence.length();
        int first = firstNode[index];
        for (int node = 0; node < input.size(); node++) {
            int parent = input.parents()[node];
            indices[first + node] = input.tokens()[node];
            indices[nodes + first + node] = parent < 0 ? length : indices[nodes + first + parent] + 1;
            indices[2 * nodes + first + node] = sequence.row(length + node);
        }
        for (int node = input.rowsFrom(); node < input.size(); node++) {
            indices[3 * nodes + row(index, node)] = (long) first + node;
        }
    }

    /** Both directions between nodes and padded places; padding repeats the group's first node, and nobody reads it back. */
    private int fillPlaces(PassGroup group, int from) {
        int places = group.inputs().size() * group.width();
        int node = 0;
        for (int member = 0; member < group.inputs().size(); member++) {
            int size = batch.get(group.inputs().get(member)).size();
            for (int place = 0; place < size; place++, node++) {
                indices[from + member * group.width() + place] = node;
                indices[from + places + node] = (long) member * group.width() + place;
            }
        }
        return from + places + group.nodes();
    }

    private int fillRows(PassGroup group, int from) {
        int at = from;
        for (int index : group.inputs()) {
            TreeInput input = batch.get(index);
            CachedSequence sequence = (CachedSequence) input.sequence();
            int columns = sequence.length() + input.size();
            for (int column = 0; column < group.columns(); column++) {
                indices[at++] = sequence.row(Math.min(column, columns - 1));
            }
        }
        return at;
    }

    private void fillBlocked(TreeInput input, int from, int columns, int width) {
        int length = input.sequence().length();
        Arrays.fill(blocked, from, from + width * columns, (byte) 1);
        for (int node = 0; node < input.size(); node++) {
            int at = from + node * columns;
            int parent = input.parents()[node];
            if (parent < 0) {
                Arrays.fill(blocked, at, at + length, (byte) 0);
            } else {
                System.arraycopy(blocked, from + parent * columns, blocked, at, length + node);
            }
            blocked[at + length + node] = 0;
        }
    }
}
