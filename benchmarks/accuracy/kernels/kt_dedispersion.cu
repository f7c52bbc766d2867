// Samples of radio channels, shifted by what a dispersion measure delays each channel, summed:
// out[dm][s] = sum over channels of in[channel][s + (unsigned)(measure(dm) * shifts[channel])].
//
// A thread makes TILE_SIZE_X samples of TILE_SIZE_Y measures: side by side, or a block apart with
// TILE_STRIDE_X, TILE_STRIDE_Y.
#ifndef CHANNELS
#define CHANNELS 1536
#define SAMPLES 25000
#define SAMPLES_READ 25650  // of a channel: more than shifts reach
#define MEASURES 2048
#endif
#define FIRST_MEASURE 0.0f
#define MEASURE_STEP 0.02f

#if TILE_STRIDE_X
#define SAMPLE(item) (blockIdx.x * BLOCK_SIZE_X * TILE_SIZE_X + threadIdx.x + (item) * BLOCK_SIZE_X)
#else
#define SAMPLE(item) ((blockIdx.x * BLOCK_SIZE_X + threadIdx.x) * TILE_SIZE_X + (item))
#endif
#if TILE_STRIDE_Y
#define MEASURE(item) (blockIdx.y * BLOCK_SIZE_Y * TILE_SIZE_Y + threadIdx.y + (item) * BLOCK_SIZE_Y)
#else
#define MEASURE(item) ((blockIdx.y * BLOCK_SIZE_Y + threadIdx.y) * TILE_SIZE_Y + (item))
#endif

// `in` is CHANNELS x SAMPLES_READ, `out` MEASURES x SAMPLES, `shifts` samples a unit of measure.
extern "C" __global__ void dedispersion(unsigned char *in, float *out, float *shifts) {
  for (int sample_item = 0; sample_item < TILE_SIZE_X; ++sample_item) {
    const int sample = SAMPLE(sample_item);
    if (sample >= SAMPLES) continue;
    for (int measure_item = 0; measure_item < TILE_SIZE_Y; ++measure_item) {
      const int measure = MEASURE(measure_item);
      if (measure >= MEASURES) continue;
      float sum = 0.0f;
      for (int channel = 0; channel < CHANNELS; ++channel) {
        const unsigned int shift = (FIRST_MEASURE + measure * MEASURE_STEP) * shifts[channel];
        sum += in[channel * SAMPLES_READ + sample + shift];
      }
      out[measure * SAMPLES + sample] = sum;
    }
  }
}
