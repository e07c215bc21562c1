package io.tailrace.e2e.simulation;

/** A fault that the product once had, put back around it. */
enum Fault {
    NONE,
    /** A job cannot tell a file that is damaged or gone from a store that is away. */
    FILES_ARE_NEVER_GIVEN_UP,
    /** A job that starts does not read topic control first. */
    DELETES_ARE_HEARD_LATE,
    /** A job goes on after another has taken the installation over. */
    NO_TAKE_OVER_ENDS_A_JOB,
    /** A job takes over with its claim, before its tasks run. */
    A_CLAIM_ENDS_OTHERS,
    /** A job goes on behind records that retention removed as if there had been none. */
    GAPS_ARE_SILENT,
    /** A sweep removes what it once found old, whatever was written since. */
    SWEEPS_LOOK_ONCE,
    /** What a job writes does not tell whether another has taken over since. */
    ONE_EPOCH_FOR_ALL
}
