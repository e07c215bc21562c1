package io.tailrace.worker.model;

import java.util.ArrayList;
import java.util.List;

/**
 * Inputs whose attention is computed together, padded to the widest and the longest of them. Inputs that differ much go to
 * different groups, so that a piece of a prompt beside one-token steps does not multiply their work.
 */
final class PassGroup {
    private final List<Integer> inputs = new ArrayList<>();
    private int nodes;
    private int width;
    private int columns;
    private long cells;

    /** Whether an input may join: padding stays within half of the work, or within what a further group would cost. */
    boolean welcomes(TreeInput input, long paddingCellsMax) {
        long joinedCells = cells + cells(input);
        long paddedCells = (inputs.size() + 1L) * Math.max(width, input.size()) * Math.max(columns, columns(input));
        return inputs.isEmpty() || paddedCells - joinedCells <= Math.max(joinedCells / 2, paddingCellsMax);
    }

    void add(int index, TreeInput input) {
        inputs.add(index);
        nodes += input.size();
        width = Math.max(width, input.size());
        columns = Math.max(columns, columns(input));
        cells += cells(input);
    }

    /** Places in the batch, in order of joining. */
    List<Integer> inputs() {
        return inputs;
    }

    /** Tokens of all inputs. */
    int nodes() {
        return nodes;
    }

    /** Tokens of the widest input. */
    int width() {
        return width;
    }

    /** Tokens that the longest input attends to: committed ones and its own. */
    int columns() {
        return columns;
    }

    private static int columns(TreeInput input) {
        return input.sequence().length() + input.size();
    }

    private static long cells(TreeInput input) {
        return (long) input.size() * columns(input);
    }
}
