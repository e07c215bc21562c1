package io.tailrace.operators.control;

import java.io.IOException;
import java.io.Serializable;
import java.util.List;

/**
 * The commands given so far, read when an operator starts. A job restored from an old savepoint would otherwise announce
 * deleted text until the control stream has caught up.
 */
@FunctionalInterface
public interface ControlHistory extends Serializable {
    List<ControlCommand> read() throws IOException;
}
