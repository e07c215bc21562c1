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

    /** Puts what a job says behind them, a claim or a take-over; it is there when this returns. */
    void say(Control ofAJob) throws IOException;

    /** The highest epoch of the versions that are announced and not withdrawn; empty: there are none. */
    OptionalLong announced() throws IOException;
}
