/* Puts launch configurations to NVIDIA's occupancy calculation (cuda_occupancy.h, CUDA toolkit).
 *
 * One configuration a line on the standard input, sixteen numbers: compute capability (major,
 * minor), then of the device threads a block, threads an SM, registers a block, registers an SM,
 * warp size, shared bytes a block, an SM, a block with opt-in, reserved bytes a block; then of the
 * launch threads, registers, static and dynamic shared bytes, 1 where the kernel opts in to more
 * shared memory.
 *
 * One answer a line, eight numbers: the header's error code, blocks an SM, mask of limiting
 * factors, blocks by warps, by registers, by shared memory, by slots (-1: no limit), shared bytes
 * allocated to a block.
 */
#include <limits.h>
#include <stdio.h>

#include <cuda_occupancy.h>

struct question {
    cudaOccDeviceProp device;
    cudaOccFuncAttributes kernel;
    int threads;
    size_t dynamic_bytes;
};

static int read_question(struct question *asked)
{
    cudaOccDeviceProp *device = &asked->device;
    int opts_in;
    int numbers = scanf(
        "%d %d %d %d %d %d %d %zu %zu %zu %zu %d %d %zu %zu %d",
        &device->computeMajor, &device->computeMinor, &device->maxThreadsPerBlock,
        &device->maxThreadsPerMultiprocessor, &device->regsPerBlock,
        &device->regsPerMultiprocessor, &device->warpSize, &device->sharedMemPerBlock,
        &device->sharedMemPerMultiprocessor, &device->sharedMemPerBlockOptin,
        &device->reservedSharedMemPerBlock, &asked->threads, &asked->kernel.numRegs,
        &asked->kernel.sharedSizeBytes, &asked->dynamic_bytes, &opts_in);
    device->numSms = 1; /* must be positive, and counts for whole grids only */
    asked->kernel.maxThreadsPerBlock = INT_MAX;
    asked->kernel.numBlockBarriers = 1; /* as the header has it for the attributes of a kernel */
    if (opts_in) {
        asked->kernel.shmemLimitConfig = FUNC_SHMEM_LIMIT_OPTIN;
        asked->kernel.maxDynamicSharedSizeBytes = asked->dynamic_bytes;
    }
    return numbers == 16;
}

static int finite(int limit)
{
    return limit == INT_MAX ? -1 : limit;
}

int main(void)
{
    const cudaOccDeviceState by_default = {CACHE_PREFER_NONE, SHAREDMEM_CARVEOUT_DEFAULT};
    struct question asked = {0};
    while (read_question(&asked)) {
        cudaOccResult told = {0};
        cudaOccError error = cudaOccMaxActiveBlocksPerMultiprocessor(
            &told, &asked.device, &asked.kernel, &by_default, asked.threads, asked.dynamic_bytes);
        printf("%d %d %u %d %d %d %d %zu\n", (int)error, told.activeBlocksPerMultiprocessor,
               told.limitingFactors, finite(told.blockLimitWarps), finite(told.blockLimitRegs),
               finite(told.blockLimitSharedMem), finite(told.blockLimitBlocks),
               told.allocatedSharedMemPerBlock);
        asked = (struct question){0};
    }
    return !feof(stdin);
}
