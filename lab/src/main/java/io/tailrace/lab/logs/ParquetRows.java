package io.tailrace.lab.logs;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.IOException;
import java.nio.file.Path;
import org.apache.parquet.column.page.PageReadStore;
import org.apache.parquet.example.data.Group;
import org.apache.parquet.example.data.simple.convert.GroupRecordConverter;
import org.apache.parquet.hadoop.ParquetFileReader;
import org.apache.parquet.io.ColumnIOFactory;
import org.apache.parquet.io.LocalInputFile;
import org.apache.parquet.io.MessageColumnIO;
import org.apache.parquet.io.RecordReader;
import org.apache.parquet.schema.GroupType;
import org.apache.parquet.schema.LogicalTypeAnnotation;
import org.apache.parquet.schema.MessageType;
import org.apache.parquet.schema.Type;

/** Rows of a Parquet file, lists and structures as JSON has them. Read row group by row group. */
final class ParquetRows implements LogRows {
    private static final JsonNodeFactory NODES = JsonNodeFactory.instance;

    private final ParquetFileReader file;
    private final MessageType schema;
    private final MessageColumnIO columns;
    private RecordReader<Group> records;
    private long left;
    private long row;

    ParquetRows(Path path) throws IOException {
        this.file = opened(path);
        this.schema = file.getFooter().getFileMetaData().getSchema();
        this.columns = new ColumnIOFactory().getColumnIO(schema);
    }

    /** The library throws what is unchecked at a file that is none of its own. */
    private static ParquetFileReader opened(Path path) throws IOException {
        try {
            return ParquetFileReader.open(new LocalInputFile(path));
        } catch (RuntimeException e) {
            throw new IOException("no Parquet that can be read: " + e.getMessage(), e);
        }
    }

    @Override
    public LogRow next() throws IOException {
        try {
            return read();
        } catch (LinkageError e) {
            throw new IOException(
                    "it is compressed with a codec that is not here; write it anew with snappy, zstd or without compression",
                    e);
        } catch (RuntimeException e) {
            throw new IOException("no Parquet that can be read: " + e.getMessage(), e);
        }
    }

    private LogRow read() throws IOException {
        while (left == 0) {
            PageReadStore group = file.readNextRowGroup();
            if (group == null) {
                return null;
            }
            left = group.getRowCount();
            records = columns.getRecordReader(group, new GroupRecordConverter(schema));
        }
        left--;
        row++;
        return new LogRow(object(records.read()), row);
    }

    private static ObjectNode object(Group group) {
        ObjectNode object = NODES.objectNode();
        GroupType type = group.getType();
        for (int field = 0; field < type.getFieldCount(); field++) {
            if (group.getFieldRepetitionCount(field) > 0) {
                object.set(type.getFieldName(field), field(group, field));
            }
        }
        return object;
    }

    private static JsonNode field(Group group, int field) {
        Type type = group.getType().getType(field);
        if (type.isRepetition(Type.Repetition.REPEATED)) {
            ArrayNode all = NODES.arrayNode();
            for (int i = 0; i < group.getFieldRepetitionCount(field); i++) {
                all.add(value(group, field, i));
            }
            return all;
        }
        return value(group, field, 0);
    }

    private static JsonNode value(Group group, int field, int at) {
        Type type = group.getType().getType(field);
        if (type.isPrimitive()) {
            return switch (type.asPrimitiveType().getPrimitiveTypeName()) {
                case INT32 -> NODES.numberNode(group.getInteger(field, at));
                case INT64 -> NODES.numberNode(group.getLong(field, at));
                case FLOAT -> NODES.numberNode(group.getFloat(field, at));
                case DOUBLE -> NODES.numberNode(group.getDouble(field, at));
                case BOOLEAN -> NODES.booleanNode(group.getBoolean(field, at));
                default -> NODES.textNode(group.getBinary(field, at).toStringUsingUTF8());
            };
        }
        Group inner = group.getGroup(field, at);
        return type.getLogicalTypeAnnotation() instanceof LogicalTypeAnnotation.ListLogicalTypeAnnotation
                ? list(inner)
                : object(inner);
    }

    /** A list is a group with one repeated field, whose elements are wrapped once more unless an old writer left that out. */
    private static ArrayNode list(Group group) {
        ArrayNode list = NODES.arrayNode();
        Type repeated = group.getType().getType(0);
        for (int i = 0; i < group.getFieldRepetitionCount(0); i++) {
            boolean wrapped = !repeated.isPrimitive() && repeated.asGroupType().getFieldCount() == 1;
            list.add(wrapped ? element(group.getGroup(0, i)) : value(group, 0, i));
        }
        return list;
    }

    private static JsonNode element(Group wrapper) {
        return wrapper.getFieldRepetitionCount(0) == 0 ? NODES.nullNode() : field(wrapper, 0);
    }

    @Override
    public long line() {
        return row;
    }

    @Override
    public void close() throws IOException {
        file.close();
    }
}
