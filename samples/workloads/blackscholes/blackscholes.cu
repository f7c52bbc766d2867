// Prices of European call and put options by the formula of Black and Scholes. The cumulative
// normal distribution is a polynomial of fifth degree times the density (Abramowitz and Stegun,
// 26.2.17).
#ifndef TRIPS
#define TRIPS(n) (n)  // of main loops, which a build may shorten
#endif

// Finds the share of a normal distribution below d, to seven digits after the point.
inline __device__ float normal_below(float d) {
  const float k = __fdividef(1.0f, 1.0f + 0.2316419f * fabsf(d));
  float sum = 1.330274429f;
  sum = sum * k - 1.821255978f;
  sum = sum * k + 1.781477937f;
  sum = sum * k - 0.356563782f;
  sum = sum * k + 0.319381530f;
  const float above = 0.398942280f * __expf(-0.5f * d * d) * (sum * k);
  return d > 0.0f ? 1.0f - above : above;
}

// Prices option after option: a thread goes on by the number of threads there are. The loop stays as
// it stands here, so that an iteration is an option.
extern "C" __global__ void black_scholes(float *__restrict__ calls, float *__restrict__ puts,
                                         const float *__restrict__ prices,
                                         const float *__restrict__ strikes,
                                         const float *__restrict__ years, float rate,
                                         float volatility, int options) {
  const int threads = gridDim.x * blockDim.x;
  const int first = blockIdx.x * blockDim.x + threadIdx.x;
#pragma unroll 1
  for (int i = first; i < first + TRIPS(options - first); i += threads) {
    const float price = prices[i], strike = strikes[i], time = years[i];
    const float spread = volatility * sqrtf(time);
    const float drift = (rate + 0.5f * volatility * volatility) * time;
    const float d1 = __fdividef(__logf(__fdividef(price, strike)) + drift, spread);
    const float below1 = normal_below(d1);
    const float below2 = normal_below(d1 - spread);
    const float discounted = strike * __expf(-rate * time);
    calls[i] = price * below1 - discounted * below2;
    puts[i] = discounted * (1.0f - below2) - price * (1.0f - below1);
  }
}
