package io.tailrace.worker.huggingface;

import java.nio.ByteBuffer;

/** The number formats of weights that can be read, by the names of the safetensors format. All little-endian. */
public enum StoredType {
    F32(4) {
        @Override
        float read(ByteBuffer bytes) {
            return bytes.getFloat();
        }
    },
    F16(2) {
        @Override
        float read(ByteBuffer bytes) {
            return Half.toFloat(bytes.getShort());
        }
    },
    BF16(2) {
        @Override
        float read(ByteBuffer bytes) {
            return Half.fromBfloat16(bytes.getShort());
        }
    };

    private final int bytes;

    StoredType(int bytes) {
        this.bytes = bytes;
    }

    /** Bytes of one number. */
    public int bytes() {
        return bytes;
    }

    abstract float read(ByteBuffer bytes);
}
