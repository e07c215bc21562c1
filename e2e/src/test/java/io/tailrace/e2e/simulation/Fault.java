package io.tailrace.e2e.simulation;

/** A fault that the product does not have, or no more, put around it. */
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
    /** Admission neither lets some records in nor refuses them. */
    ADMISSION_SWALLOWS_RECORDS,
    /** A sweep removes what it once found old, whatever was written since. */
    SWEEPS_LOOK_ONCE,
    /** What a job writes does not tell whether another has taken over since. */
    ONE_EPOCH_FOR_ALL,
    /** A job goes back to a version that holds what was deleted since. */
    ROLLBACKS_FORGET_DELETES,
    /** A worker hears no command of an operator's. */
    WORKERS_HEAR_NO_COMMANDS,
    /** A worker that was away for long does not look for versions that are gone. */
    WORKERS_MISS_WITHDRAWALS,
    /** A job believes what nobody trusted has signed. */
    JOBS_TAKE_ANY_SIGNATURE,
    /** A worker does. */
    WORKERS_TAKE_ANY_SIGNATURE,
    /** A worker serves a version however far ahead of its clock. */
    WORKERS_TAKE_ANY_VERSION,
    /** A worker looks for a file by whatever name a manifest gives it. */
    WORKERS_TAKE_ANY_FILE_NAME,
    /** A job numbers its versions above whatever is announced. */
    JOBS_COUNT_ON_FROM_ANY_VERSION,
    /** A caller hears that an answer is complete before the spool has it. */
    CALLERS_HEAR_FIRST,
    /** A record leaves the spool when it is sent, whether it has arrived or not. */
    SENDS_ARE_NOT_AWAITED,
    /** A spool that is opened again sends all that it holds. */
    SPOOLS_BEGIN_ANEW,
    /** What a full disk does not take is not kept. */
    FULL_DISKS_LOSE_REPORTS;

    /** It is about what whoever may write to a topic can write where nothing is signed. */
    boolean isOfHostileRecords() {
        return switch (this) {
            case WORKERS_TAKE_ANY_VERSION, WORKERS_TAKE_ANY_FILE_NAME, JOBS_COUNT_ON_FROM_ANY_VERSION -> true;
            default -> false;
        };
    }

    /** It is about who signs what. */
    boolean isOfSignatures() {
        return switch (this) {
            case JOBS_TAKE_ANY_SIGNATURE, WORKERS_TAKE_ANY_SIGNATURE -> true;
            default -> false;
        };
    }
}
