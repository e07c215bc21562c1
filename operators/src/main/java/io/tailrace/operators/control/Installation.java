package io.tailrace.operators.control;

import io.tailrace.schemas.Control;
import java.io.IOException;
import java.io.Serializable;
import java.util.List;
import java.util.OptionalLong;

/** What the topics say of an installation when a job starts, and where the job claims it. */
public interface Installation extends Serializable {
    /** All commands so far, in their order. */
    List<ControlCommand> commands() throws IOException;

    /** Puts a job's claim behind them; it is there when this returns. */
    void claim(Control claim) throws IOException;

    /** The highest epoch of the versions that are announced and not withdrawn; empty: there are none. */
    OptionalLong announced() throws IOException;
}
