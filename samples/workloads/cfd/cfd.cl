// Euler equations of a gas in a mesh of tetrahedra, by finite volumes. The five conserved
// quantities of the elements (density, momentum in x, y, z, energy) lie one after another. An
// element has four faces, each with a neighbour, or with a kind of boundary, and with a normal that
// points outwards and is as long as the face is large. The gas far away lies
// in constant memory: its state, and the flux of its momentum (x, y, z) and energy in each direction.

#ifndef BLOCK
#define BLOCK 192
#endif
#ifndef STAGES
#define STAGES 3  // of the Runge-Kutta method
#endif

#define FACES 4
#define WALL (-1)
#define FAR_FIELD (-2)
#define GAMMA 1.4f
#define DISSIPATION 0.2f

typedef struct {
  float x, y, z;
} Vector;

typedef struct {
  float density;
  Vector momentum;
  float energy;
} State;

// Fluxes of the three components of the momentum, and of the energy; that of the density is the
// momentum itself.
typedef struct {
  Vector x, y, z, energy;
} Flux;

static inline float inner(Vector a, Vector b) { return a.x * b.x + a.y * b.y + a.z * b.z; }

static inline Vector scaled(Vector a, float factor) {
  const Vector product = {a.x * factor, a.y * factor, a.z * factor};
  return product;
}

static inline State load_state(__global const float *quantities, int element, int elements) {
  State state;
  state.density = quantities[element];
  state.momentum.x = quantities[elements + element];
  state.momentum.y = quantities[2 * elements + element];
  state.momentum.z = quantities[3 * elements + element];
  state.energy = quantities[4 * elements + element];
  return state;
}

static inline void store_state(__global float *quantities, int element, int elements, State state) {
  quantities[element] = state.density;
  quantities[elements + element] = state.momentum.x;
  quantities[2 * elements + element] = state.momentum.y;
  quantities[3 * elements + element] = state.momentum.z;
  quantities[4 * elements + element] = state.energy;
}

static inline Vector velocity_of(State state) {
  return scaled(state.momentum, 1.0f / state.density);
}

static inline float pressure_of(State state, float speed_squared) {
  return (GAMMA - 1.0f) * (state.energy - 0.5f * state.density * speed_squared);
}

static inline float sound_of(float density, float pressure) {
  return sqrt(GAMMA * pressure / density);
}

static inline Flux flux_of(State state, Vector velocity, float pressure) {
  Flux flux;
  flux.x = scaled(state.momentum, velocity.x);
  flux.y = scaled(state.momentum, velocity.y);
  flux.z = scaled(state.momentum, velocity.z);
  flux.x.x += pressure;
  flux.y.y += pressure;
  flux.z.z += pressure;
  flux.energy = scaled(velocity, state.energy + pressure);
  return flux;
}

// Takes what leaves through a face away from the sum: half the flux of one of its sides.
static inline void subtract_flux(State *sum, Vector momentum, Flux flux, Vector half_normal) {
  sum->density -= inner(half_normal, momentum);
  sum->momentum.x -= inner(half_normal, flux.x);
  sum->momentum.y -= inner(half_normal, flux.y);
  sum->momentum.z -= inner(half_normal, flux.z);
  sum->energy -= inner(half_normal, flux.energy);
}

// Sets bytes.
__kernel void cfd_memset(__global char *target, int value, int bytes) {
  const int i = get_global_id(0);
  if (i < bytes) {
    target[i] = value;
  }
}

// Fills all elements with the gas that is far away.
__kernel void initialize_variables(__global float *variables, int elements,
                                   __constant float *restrict far_state) {
  const int i = get_global_id(0);
#pragma unroll
  for (int quantity = 0; quantity < 5; ++quantity) {
    variables[quantity * elements + i] = far_state[quantity];
  }
}

// Finds how far each element may go in time: as sound and flow cross its surface.
__kernel __attribute__((reqd_work_group_size(BLOCK, 1, 1))) void
compute_step_factor(__global const float *restrict variables,
                    __global const float *restrict surfaces, __global float *restrict step_factors,
                    int elements) {
  const int i = get_global_id(0);
  const State state = load_state(variables, i, elements);
  const Vector velocity = velocity_of(state);
  const float speed_squared = inner(velocity, velocity);
  const float sound = sound_of(state.density, pressure_of(state, speed_squared));
  step_factors[i] = 0.5f / (surfaces[i] * (sqrt(speed_squared) + sound));
}

// Adds up what flows into each element through its faces: means of both sides, with dissipation
// between elements, pressure alone at walls, the gas far away at the outer boundary.
__kernel __attribute__((reqd_work_group_size(BLOCK, 1, 1))) void
compute_flux(__global const int *restrict neighbours, __global const float *restrict normals,
             __global const float *restrict variables, __global float *restrict fluxes,
             int elements, __constant float *restrict far_state,
             __constant float *restrict far_flux) {
  const int i = get_global_id(0);
  const State own = load_state(variables, i, elements);
  const Vector velocity = velocity_of(own);
  const float speed_squared = inner(velocity, velocity);
  const float speed = sqrt(speed_squared);
  const float pressure = pressure_of(own, speed_squared);
  const float sound = sound_of(own.density, pressure);
  const Flux own_flux = flux_of(own, velocity, pressure);

  State sum = {0.0f, {0.0f, 0.0f, 0.0f}, 0.0f};
#pragma unroll
  for (int face = 0; face < FACES; ++face) {
    const int other = neighbours[face * elements + i];
    Vector normal;
    normal.x = normals[face * elements + i];
    normal.y = normals[(FACES + face) * elements + i];
    normal.z = normals[(2 * FACES + face) * elements + i];

    if (other >= 0) {
      const State next = load_state(variables, other, elements);
      const Vector next_velocity = velocity_of(next);
      const float next_squared = inner(next_velocity, next_velocity);
      const float next_pressure = pressure_of(next, next_squared);
      const float next_sound = sound_of(next.density, next_pressure);
      const Flux next_flux = flux_of(next, next_velocity, next_pressure);

      const float area = sqrt(inner(normal, normal));
      const float waves = speed + sqrt(next_squared) + sound + next_sound;
      const float damping = 0.5f * DISSIPATION * area * waves;
      sum.density += damping * (next.density - own.density);
      sum.momentum.x += damping * (next.momentum.x - own.momentum.x);
      sum.momentum.y += damping * (next.momentum.y - own.momentum.y);
      sum.momentum.z += damping * (next.momentum.z - own.momentum.z);
      sum.energy += damping * (next.energy - own.energy);

      const Vector half_normal = scaled(normal, 0.5f);
      subtract_flux(&sum, own.momentum, own_flux, half_normal);
      subtract_flux(&sum, next.momentum, next_flux, half_normal);
    } else if (other == WALL) {
      sum.momentum.x -= normal.x * pressure;
      sum.momentum.y -= normal.y * pressure;
      sum.momentum.z -= normal.z * pressure;
    } else if (other == FAR_FIELD) {
      const Vector far_momentum = {far_state[1], far_state[2], far_state[3]};
      const Flux outer = {{far_flux[0], far_flux[1], far_flux[2]},
                          {far_flux[3], far_flux[4], far_flux[5]},
                          {far_flux[6], far_flux[7], far_flux[8]},
                          {far_flux[9], far_flux[10], far_flux[11]}};
      const Vector half_normal = scaled(normal, 0.5f);
      subtract_flux(&sum, own.momentum, own_flux, half_normal);
      subtract_flux(&sum, far_momentum, outer, half_normal);
    }
  }
  store_state(fluxes, i, elements, sum);
}

// Takes a stage of the Runge-Kutta method: a part of the step, from where the iteration began.
__kernel __attribute__((reqd_work_group_size(BLOCK, 1, 1))) void
time_step(int stage, __global const float *restrict old_variables,
          __global float *restrict variables, __global const float *restrict step_factors,
          __global const float *restrict fluxes, int elements) {
  const int i = get_global_id(0);
  const float factor = step_factors[i] / (float)(STAGES - stage);
#pragma unroll
  for (int quantity = 0; quantity < 5; ++quantity) {
    const int at = quantity * elements + i;
    variables[at] = old_variables[at] + factor * fluxes[at];
  }
}
