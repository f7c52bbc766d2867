// Monte Carlo in the LIBOR market model: forward rates are moved on along random paths, then a
// portfolio of swaptions is priced on each; with or without the derivative of its value by today's
// rates, found backwards (the adjoint) from what the path has left in memory.

#ifndef TRIPS
#define TRIPS(n) (n)
#endif

#define MOST_RATES 80
#define MOST_STEPS 40
#define MOST_OPTIONS 15
#define UNITS 100.0f  // of each swaption

__constant__ int rates;    // forward rates, each for an interval of `delta` years
__constant__ int steps;    // time steps of a path, as long; as many rates are fixed at its end
__constant__ int options;
__constant__ float delta;
__constant__ int maturities[MOST_OPTIONS];      // of the swaps, in intervals, from 1
__constant__ float swap_rates[MOST_OPTIONS];
__constant__ float volatilities[MOST_RATES];    // by the intervals that are left to a rate's start
__constant__ float today[MOST_RATES];           // the forward rates at the beginning

// Takes one path's numbers, and the rates of today, to the thread's own memory.
inline __device__ void begin_path(const float *__restrict__ draws, int path, int paths, float *z,
                                  float *rate) {
  for (int n = 0; n < TRIPS(steps); ++n) {
    z[n] = draws[n * paths + path];
  }
  for (int i = 0; i < TRIPS(rates); ++i) {
    rate[i] = today[i];
  }
}

// Moves the rates that are not fixed yet on by one step. A rate's drift is a sum over the rates
// before it. `after` takes the new rates; it may be the place of the old ones.
inline __device__ void move_on(int n, float z, const float *before, float *after) {
  const float shock = sqrtf(delta) * z;
  const int left = rates - n - 1;
  float drift = 0.0f;
  for (int k = 0; k < TRIPS(left); ++k) {
    const int i = n + 1 + k;
    const float volatility = volatilities[k];
    const float scaled = delta * volatility;
    const float rate = before[i];
    drift += __fdividef(scaled * rate, 1.0f + delta * rate);
    after[i] = rate * __expf(scaled * drift + volatility * (shock - 0.5f * scaled));
  }
}

// Finds, after the last step, what a unit of money at the end of each interval is worth (`bond`)
// and what one a year for all intervals up to it is (`annuity`).
inline __device__ void swap_curve(const float *rate, float *bond, float *annuity) {
  const int after = rates - steps;
  float b = 1.0f;
  float s = 0.0f;
  for (int m = 0; m < TRIPS(after); ++m) {
    b = __fdividef(b, 1.0f + delta * rate[steps + m]);
    s += delta * b;
    bond[m] = b;
    annuity[m] = s;
  }
}

// Gives what a unit of money at the end of the path is worth today.
inline __device__ float discount(const float *rate) {
  float b = 1.0f;
  for (int n = 0; n < TRIPS(steps); ++n) {
    b = __fdividef(b, 1.0f + delta * rate[n]);
  }
  return b;
}

// Prices the portfolio on each path, a path a thread; a thread goes on by the number of threads.
extern "C" __global__ void libor_portfolio(const float *__restrict__ draws,
                                           float *__restrict__ values, int paths) {
  const int threads = gridDim.x * blockDim.x;
  const int first = blockIdx.x * blockDim.x + threadIdx.x;
  float z[MOST_STEPS], rate[MOST_RATES], bond[MOST_RATES], annuity[MOST_RATES];
  for (int path = first; path < paths; path += threads) {
    begin_path(draws, path, paths, z, rate);
    for (int n = 0; n < TRIPS(steps); ++n) {
      move_on(n, z[n], rate, rate);
    }
    swap_curve(rate, bond, annuity);
    float value = 0.0f;
    for (int o = 0; o < TRIPS(options); ++o) {
      const int m = maturities[o] - 1;
      const float swap = bond[m] + swap_rates[o] * annuity[m] - 1.0f;
      if (swap < 0.0f) {
        value -= UNITS * swap;
      }
    }
    values[path] = value * discount(rate);
  }
}

// Finds the derivatives of the portfolio's value by the rates after the last step, without what
// discounts to today. Gives the value. A swaption that is worth nothing adds nothing.
inline __device__ float portfolio_backwards(const float *rate, const float *bond,
                                            const float *annuity, float *bond_by,
                                            float *annuity_by, float *by) {
  const int after = rates - steps;
  for (int m = 0; m < TRIPS(after); ++m) {
    bond_by[m] = 0.0f;
    annuity_by[m] = 0.0f;
  }
  float value = 0.0f;
  for (int o = 0; o < TRIPS(options); ++o) {
    const int m = maturities[o] - 1;
    const float swap = bond[m] + swap_rates[o] * annuity[m] - 1.0f;
    if (swap < 0.0f) {
      value -= UNITS * swap;
      annuity_by[m] -= UNITS * swap_rates[o];
      bond_by[m] -= UNITS;
    }
  }
  float by_bond = 0.0f;  // of the interval's bond, from what comes after it
  float by_annuity = 0.0f;
  for (int back = 0; back < TRIPS(after); ++back) {
    const int m = after - 1 - back;
    const float growth = 1.0f + delta * rate[steps + m];
    by_annuity += annuity_by[m];
    by_bond += bond_by[m] + delta * by_annuity;
    by[steps + m] = -by_bond * bond[m] * __fdividef(delta, growth);
    by_bond = __fdividef(by_bond, growth);
  }
  return value;
}

// Takes derivatives back over step n: from those by `after`, its rates, to those by `before`.
inline __device__ void move_back(int n, const float *before, const float *after, float *by) {
  const int left = rates - n - 1;
  float sum = 0.0f;  // over the rates whose drift this one is part of
  for (int back = 0; back < TRIPS(left); ++back) {
    const int k = left - 1 - back;
    const int i = n + 1 + k;
    const float volatility = volatilities[k];
    sum += volatility * after[i] * by[i];
    const float part = __fdividef(delta, 1.0f + delta * before[i]);
    by[i] = by[i] * __fdividef(after[i], before[i]) + sum * volatility * part * part;
  }
}

// As libor_portfolio, and finds the derivatives of each path's value by today's rates, of which it
// stores the sum: what a shift of all rates does. Rates of all steps are kept, in 13 KB of local
// memory.
extern "C" __global__ void libor_adjoint(const float *__restrict__ draws,
                                         float *__restrict__ values,
                                         float *__restrict__ derivatives, int paths) {
  const int threads = gridDim.x * blockDim.x;
  const int first = blockIdx.x * blockDim.x + threadIdx.x;
  float z[MOST_STEPS], fixed[MOST_STEPS], rate[MOST_STEPS + 1][MOST_RATES], by[MOST_RATES];
  float bond[MOST_RATES], annuity[MOST_RATES], bond_by[MOST_RATES], annuity_by[MOST_RATES];
  for (int path = first; path < paths; path += threads) {
    begin_path(draws, path, paths, z, rate[0]);
    for (int n = 0; n < TRIPS(steps); ++n) {
      move_on(n, z[n], rate[n], rate[n + 1]);
    }
    for (int n = 0; n < TRIPS(steps); ++n) {
      fixed[n] = rate[n][n];
    }
    swap_curve(rate[steps], bond, annuity);
    const float value = portfolio_backwards(rate[steps], bond, annuity, bond_by, annuity_by, by);
    const float to_today = discount(fixed);
    const float discounted = value * to_today;
    for (int n = 0; n < TRIPS(steps); ++n) {
      by[n] = -discounted * __fdividef(delta, 1.0f + delta * fixed[n]);
    }
    const int after = rates - steps;
    for (int m = 0; m < TRIPS(after); ++m) {
      by[steps + m] *= to_today;
    }
    for (int back = 0; back < TRIPS(steps); ++back) {
      const int n = steps - 1 - back;
      move_back(n, rate[n], rate[n + 1], by);
    }
    float shift = 0.0f;
    for (int i = 0; i < TRIPS(rates); ++i) {
      shift += by[i];
    }
    values[path] = discounted;
    derivatives[path] = shift;
  }
}
