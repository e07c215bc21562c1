package io.tailrace.e2e.simulation;

import java.lang.reflect.Proxy;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Future;
import org.apache.kafka.clients.producer.Producer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.clients.producer.RecordMetadata;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.errors.TimeoutException;

/** Writes a worker's reports to topic generations, unless brokers are away, or the process is killed meanwhile. */
final class SimulatedProducer {
    private static final int NEVER = -1;

    private final World world;
    private final List<String> acknowledged = new ArrayList<>();
    /** 0: they are away. */
    private int awayAfter = NEVER;

    private int killAfter = NEVER;

    /** The process is killed. */
    static final class KilledError extends Error {
        private static final long serialVersionUID = 1L;
    }

    SimulatedProducer(World world) {
        this.world = world;
    }

    /** After so many more sends no broker acknowledges, though some may get a record. */
    void awayAfter(int sends) {
        awayAfter = sends;
    }

    void back() {
        awayAfter = NEVER;
    }

    /** They are, or soon will be. */
    boolean isLeaving() {
        return awayAfter != NEVER;
    }

    /** The process is killed in place of the next send but so many. */
    void killAfter(int sends) {
        killAfter = sends;
    }

    /** Request ids of what was acknowledged since this was asked last. */
    List<String> takeAcknowledged() {
        List<String> taken = List.copyOf(acknowledged);
        acknowledged.clear();
        return taken;
    }

    /** As the product uses it. */
    @SuppressWarnings("unchecked")
    Producer<byte[], byte[]> producer() {
        return (Producer<byte[], byte[]>) Proxy.newProxyInstance(
                Producer.class.getClassLoader(), new Class<?>[] {Producer.class}, (proxy, method, arguments) -> {
                    if (!method.getName().equals("send") || arguments.length != 1) {
                        throw new UnsupportedOperationException(method.toString());
                    }
                    return send((ProducerRecord<byte[], byte[]>) arguments[0]);
                });
    }

    private Future<RecordMetadata> send(ProducerRecord<byte[], byte[]> record) {
        if (killAfter-- == 0) {
            killAfter = NEVER;
            throw new KilledError();
        }
        String requestId = new String(record.key(), StandardCharsets.UTF_8);
        boolean away = awayAfter == 0;
        if (!away) {
            awayAfter = Math.max(NEVER, awayAfter - 1);
            acknowledged.add(requestId);
        }
        boolean arrives = !away || world.oneIn(4);
        if (arrives) {
            world.reports.arrives(requestId, record.topic(), record.value());
            world.generations.append(requestId, record.value(), world.now());
        }
        if (away && world.fault != Fault.SENDS_ARE_NOT_AWAITED) {
            return CompletableFuture.failedFuture(new TimeoutException("no broker answers"));
        }
        TopicPartition partition = new TopicPartition(record.topic(), 0);
        return CompletableFuture.completedFuture(new RecordMetadata(partition, 0, 0, world.now(), 0, 0));
    }
}
