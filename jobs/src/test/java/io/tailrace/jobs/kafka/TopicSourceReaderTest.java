package io.tailrace.jobs.kafka;

import static org.assertj.core.api.Assertions.assertThat;

import io.tailrace.operators.RawRecord;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.apache.flink.api.connector.source.SourceReader;
import org.apache.flink.connector.kafka.source.split.KafkaPartitionSplit;
import org.apache.kafka.common.TopicPartition;
import org.junit.jupiter.api.Test;

class TopicSourceReaderTest {
    private final List<String> called = new ArrayList<>();
    private final List<Object> splits = new ArrayList<>();

    @SuppressWarnings("unchecked") // a proxy knows no type parameters
    private final SourceReader<RawRecord, KafkaPartitionSplit> inner =
            (SourceReader<RawRecord, KafkaPartitionSplit>) Proxy.newProxyInstance(
                    getClass().getClassLoader(), new Class<?>[] {SourceReader.class}, (proxy, method, arguments) -> {
                        called.add(method.getName());
                        if (method.getName().equals("addSplits")) {
                            splits.addAll((List<?>) arguments[0]);
                        }
                        return null;
                    });

    private final TopicSourceReader reader =
            new TopicSourceReader(inner, split -> split.getTopic().equals("generations"));

    private static KafkaPartitionSplit split(String topic) {
        return new KafkaPartitionSplit(new TopicPartition(topic, 3), 41);
    }

    @Test
    void splitsOfTopicsThatAreNotReadAreDropped() {
        reader.addSplits(List.of(split("generations-gone"), split("generations")));
        assertThat(splits).containsExactly(split("generations"));
    }

    @Test
    void everyCallReachesTheOtherReader() throws Exception {
        List<Method> calls = Stream.of(SourceReader.class.getMethods()).toList();
        for (Method call : calls) {
            Object[] arguments = Stream.of(call.getParameterTypes())
                    .map(type -> type == long.class ? 1L : type == List.class ? List.of() : null)
                    .toArray();
            call.invoke(reader, arguments);
        }
        assertThat(called)
                .containsExactlyElementsOf(calls.stream().map(Method::getName).toList());
    }
}
