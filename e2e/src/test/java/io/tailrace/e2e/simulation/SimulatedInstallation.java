package io.tailrace.e2e.simulation;

import io.tailrace.e2e.simulation.SimulatedTopic.Written;
import io.tailrace.operators.control.ControlCommand;
import io.tailrace.operators.control.Installation;
import io.tailrace.schemas.Command;
import io.tailrace.schemas.Control;
import io.tailrace.schemas.Epochs;
import io.tailrace.schemas.RecordCodec;
import io.tailrace.schemas.UndecodableRecordException;
import io.tailrace.schemas.signing.TrustedKeys;
import io.tailrace.schemas.signing.UntrustedRecordException;
import java.io.IOException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import java.util.Set;

/** What the topics say to a job, without a broker to ask. */
record SimulatedInstallation(World world, TrustedKeys trusted) implements Installation {
    /** Where commands are signed, of those with one id the first: a signature stays good. */
    @Override
    public List<ControlCommand> commands() throws IOException {
        List<ControlCommand> commands = new ArrayList<>();
        Set<String> taken = new HashSet<>();
        for (Written record : world.control.history()) {
            if (isTrusted(world.control, record)) {
                ControlCommand command = decode(record);
                if (taken.add(command.commandId()) || trusted.isNone()) {
                    commands.add(command);
                }
            }
        }
        return commands;
    }

    private ControlCommand decode(Written record) throws IOException {
        try {
            return ControlCommand.decode(world.control.raw(record));
        } catch (UndecodableRecordException e) {
            throw new IOException(e);
        }
    }

    private boolean isTrusted(SimulatedTopic topic, Written record) {
        try {
            trusted.check(topic.name(), record.keyBytes(), record.value(), record.signature());
            return true;
        } catch (UntrustedRecordException e) {
            return false;
        }
    }

    @Override
    public void say(Control ofAJob) {
        byte[] value = RecordCodec.CONTROL.encode(ofAJob);
        String key = ofAJob.getCommandId();
        byte[] signature = world.keys.ofJob(world.control, key, value);
        world.truth.said(world.control.append(key, value, signature, world.now()));
        if (world.fault == Fault.A_CLAIM_ENDS_OTHERS && ofAJob.getCommand() == Command.CLAIM) {
            say(Control.newBuilder(ofAJob)
                    .setCommand(Command.TAKE_OVER)
                    .setCommandId("take-over-" + ofAJob.getCommandId())
                    .build());
        }
    }

    @Override
    public OptionalLong announced() {
        Map<String, Long> epochs = new HashMap<>();
        for (Written record : world.snapshots.from(0).values()) {
            if (!isTrusted(world.snapshots, record)) {
                continue;
            }
            if (record.value() == null) {
                epochs.remove(record.key());
            } else {
                epochs.put(record.key(), epoch(record));
            }
        }
        return epochs.values().stream().mapToLong(Long::longValue).max();
    }

    /** Of what readers would not take, 0. */
    private static long epoch(Written record) {
        try {
            long epoch = RecordCodec.SNAPSHOT_MANIFEST.decode(record.value()).getEpoch();
            Epochs.check(epoch);
            return epoch;
        } catch (UndecodableRecordException | IllegalArgumentException e) {
            return 0;
        }
    }
}
