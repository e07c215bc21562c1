package io.tailrace.e2e.simulation;

import com.google.common.jimfs.Configuration;
import com.google.common.jimfs.Jimfs;
import io.tailrace.client.report.SimulatedReports;
import io.tailrace.e2e.simulation.SimulatedProducer.KilledError;
import io.tailrace.schemas.Generation;
import java.io.IOException;
import java.nio.file.FileSystem;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.List;

/** A worker that reports what it answers: its process, which may be killed, and the disk of its spool, which may be full. */
final class SimulatedSpool implements AutoCloseable {
    private static final int BLOCK_BYTES = 256;
    private static final int DISK_BYTES = 96 << 10;
    private static final long MEMORY_BYTES_MAX = 16 << 20;

    private final World world;
    private final FileSystem disk;
    private final Path folder;
    private final Path ballast;
    private final SimulatedProducer producer;
    /** Null: it is down. */
    private SimulatedReports process;
    /** What callers have heard of too early. */
    private final List<Generation> late = new ArrayList<>();

    SimulatedSpool(World world) throws IOException {
        this.world = world;
        this.disk = Jimfs.newFileSystem(Configuration.unix().toBuilder()
                .setBlockSize(BLOCK_BYTES)
                .setMaxSize(DISK_BYTES)
                .build());
        this.folder = Files.createDirectories(disk.getPath("/spool"));
        this.ballast = disk.getPath("/ballast");
        this.producer = new SimulatedProducer(world);
        start();
    }

    /** Takes up what an earlier process has left; a disk that does not let it leaves it down. */
    void start() throws IOException {
        if (process == null) {
            if (world.fault == Fault.SPOOLS_BEGIN_ANEW) {
                SimulatedReports.beginAnew(folder);
            }
            long memory = world.fault == Fault.FULL_DISKS_LOSE_REPORTS ? 0 : MEMORY_BYTES_MAX;
            process = new SimulatedReports(folder, memory, producer.producer());
        }
    }

    boolean isDown() {
        return process == null;
    }

    /** Answers a request, or is killed before its caller has the whole answer. */
    void answer(Generation generation) throws IOException {
        if (world.oneIn(40)) {
            die(generation);
        } else if (world.fault == Fault.CALLERS_HEAR_FIRST) {
            late.add(generation);
            world.reports.complete(generation.getRequestId());
        } else {
            process.generation(generation);
            world.reports.complete(generation.getRequestId());
        }
    }

    /** One round of sending. */
    void work() throws Exception {
        if (process == null) {
            return;
        }
        late.forEach(process::generation);
        late.clear();
        try {
            boolean done = process.round();
            List<String> acknowledged = producer.takeAcknowledged();
            if (done || !isDiskFull()) { // a full disk may not take how far the spool was sent
                world.reports.settled(acknowledged);
            }
        } catch (KilledError e) {
            die(null);
        }
        world.reports.check();
    }

    /** The process is killed now, or while it sends what it sends next. */
    void kill() throws IOException {
        if (process != null && world.oneIn(2)) {
            producer.killAfter(world.random.nextInt(4));
            world.tell("the worker is to be killed while it sends");
        } else if (process != null) {
            die(null);
        }
    }

    private void die(Generation writing) throws IOException {
        List<String> inMemory = process.inMemory();
        world.tell(
                "the worker is killed%s, with %d reports in memory",
                writing == null ? "" : " as it writes", inMemory.size());
        world.reports.lost(inMemory);
        SimulatedReports killed = process;
        process = null;
        late.clear();
        producer.takeAcknowledged();
        producer.killAfter(-1);
        if (writing == null) {
            killed.kill();
            return;
        }
        try {
            killed.killIn(writing, world.random.nextInt(100));
        } catch (IOException full) {
            world.tell("its disk takes nothing");
        }
    }

    void brokersComeOrGo() {
        if (producer.isLeaving()) {
            producer.back();
            world.tell("brokers are back for the worker");
        } else {
            int sends = world.random.nextInt(4);
            producer.awayAfter(sends);
            world.tell("brokers are away from the worker after %d more reports", sends);
        }
    }

    /** Another fills the disk, or makes room again. */
    void diskFillsOrEmpties() throws IOException {
        if (Files.deleteIfExists(ballast)) {
            world.tell("the spool's disk has room again");
            return;
        }
        Files.createFile(ballast);
        try {
            while (true) {
                Files.write(ballast, new byte[BLOCK_BYTES], StandardOpenOption.APPEND);
            }
        } catch (IOException full) {
            world.tell("the spool's disk is full");
        }
    }

    private boolean isDiskFull() {
        return Files.exists(ballast);
    }

    /** All is well from now on. */
    void heal() throws IOException {
        producer.back();
        producer.killAfter(-1);
        Files.deleteIfExists(ballast);
        start();
    }

    /** Reports that have not arrived. */
    long pending() {
        return process.pending();
    }

    @Override
    public void close() throws IOException {
        disk.close();
    }
}
