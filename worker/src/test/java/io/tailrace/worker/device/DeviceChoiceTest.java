package io.tailrace.worker.device;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.tailrace.gpu.driver.CudaProbe;
import org.junit.jupiter.api.Test;

class DeviceChoiceTest {
    private static final CudaProbe NONE = new CudaProbe(false, 0, "no NVIDIA driver");
    private static final CudaProbe TWO = new CudaProbe(true, 2, "2 GPU, driver for CUDA 13.0");
    private static final CudaProbe OLD = new CudaProbe(false, 1, "the driver is too old");

    @Test
    void autoTakesTheGpuWhereDriverAndEngineBothHaveOne() {
        assertThat(choose("auto", TWO, 2).describe())
                .isEqualTo("cuda:0, drafts on the GPU: the first GPU; 2 GPU, driver for CUDA 13.0");
        assertThat(choose("auto", NONE, 0).describe()).isEqualTo("cpu, drafts on the CPU: no NVIDIA driver");
        assertThat(choose("auto", TWO, 0).describe())
                .startsWith("cpu, drafts on the CPU: ")
                .contains("PyTorch sees none");
    }

    @Test
    void theModelRunsOnAGpuAlsoWhereTheKernelsCannot() {
        assertThat(choose("auto", OLD, 1).describe())
                .isEqualTo("cuda:0, drafts on the CPU: the first GPU; the driver is too old");
        assertThat(choose("cuda:1", OLD, 2).model()).isEqualTo("cuda:1");
        assertThat(choose("cuda:1", OLD, 2).drafts()).isEmpty();
    }

    @Test
    void whatIsToldIsDone() {
        assertThat(choose("cpu", TWO, 2).describe()).isEqualTo("cpu, drafts on the CPU: as told");
        assertThat(choose("cuda:1", TWO, 2).drafts()).hasValue(1);
        assertThatThrownBy(() -> choose("gpu", TWO, 2)).hasMessageContaining("auto, cpu or cuda:N");
    }

    @Test
    void otherStrategiesDraftOnTheHost() {
        DeviceChoice choice = DeviceChoice.of("cuda:0", TWO, 1, "prompt-lookup");
        assertThat(choice.drafts()).isEmpty();
        assertThat(choice.describe()).contains("prompt-lookup");
        assertThat(DeviceChoice.of("cuda:0", TWO, 1, "adaptive:candidates=8").drafts())
                .isEmpty();
        assertThat(DeviceChoice.of("cuda:0", TWO, 1, "adaptive:candidates=0").drafts())
                .hasValue(0);
    }

    private static DeviceChoice choose(String wanted, CudaProbe probe, int engineGpus) {
        return DeviceChoice.of(wanted, probe, engineGpus, "adaptive");
    }
}
