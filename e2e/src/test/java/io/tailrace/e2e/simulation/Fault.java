package io.tailrace.e2e.simulation;

/** A fault that the product once had, put back around it. */
enum Fault {
    NONE,
    /** A job cannot tell a file that is damaged or gone from a store that is away. */
    FILES_ARE_NEVER_GIVEN_UP,
    /** A job that starts does not read topic control first. */
    DELETES_ARE_HEARD_LATE,
    /** Workers take a version of whatever number. */
    ANY_VERSION_IS_TAKEN,
    /** Workers fetch a file from wherever a manifest's path leads. */
    ANY_PATH_IS_FOLLOWED,
    /** All jobs write under the same epoch. */
    ONE_EPOCH_FOR_ALL,
    /** A job goes on behind records that retention removed as if there had been none. */
    GAPS_ARE_SILENT,
    /** Workers never read topic snapshots again. */
    NOTHING_IS_REREAD,
    /** A sweep removes what it once found old, whatever was written since. */
    SWEEPS_LOOK_ONCE
}
