// Words that CUDA and HIP share, for clang without a toolkit: vectors, indices, synchronisation,
// warps, atomics. Each becomes an attribute, one of clang's builtins, or a few instructions.
#pragma once

typedef __SIZE_TYPE__ size_t;

// Debug lines are those of the caller: what stands here is an instruction or two.
#define WARPMILL_DEVICE static __inline__ __attribute__((device, always_inline, nodebug))

// ---- vectors

#define WARPMILL_VECTOR(name, type, align2, align4)                                        \
  struct name##1 { type x; };                                                              \
  struct __attribute__((aligned(align2))) name##2 { type x, y; };                          \
  struct name##3 { type x, y, z; };                                                        \
  struct __attribute__((aligned(align4))) name##4 { type x, y, z, w; };                    \
  static __inline__ __attribute__((host, device)) name##1 make_##name##1(type x) {         \
    name##1 v = {x};                                                                       \
    return v;                                                                              \
  }                                                                                        \
  static __inline__ __attribute__((host, device)) name##2 make_##name##2(type x, type y) { \
    name##2 v = {x, y};                                                                    \
    return v;                                                                              \
  }                                                                                        \
  static __inline__ __attribute__((host, device)) name##3 make_##name##3(type x, type y, type z) { \
    name##3 v = {x, y, z};                                                                 \
    return v;                                                                              \
  }                                                                                        \
  static __inline__ __attribute__((host, device)) name##4 make_##name##4(type x, type y, type z,   \
                                                                         type w) {         \
    name##4 v = {x, y, z, w};                                                              \
    return v;                                                                              \
  }

WARPMILL_VECTOR(char, signed char, 2, 4)
WARPMILL_VECTOR(uchar, unsigned char, 2, 4)
WARPMILL_VECTOR(short, short, 4, 8)
WARPMILL_VECTOR(ushort, unsigned short, 4, 8)
WARPMILL_VECTOR(int, int, 8, 16)
WARPMILL_VECTOR(uint, unsigned, 8, 16)
WARPMILL_VECTOR(long, long, 16, 16)
WARPMILL_VECTOR(ulong, unsigned long, 16, 16)
WARPMILL_VECTOR(longlong, long long, 16, 16)
WARPMILL_VECTOR(ulonglong, unsigned long long, 16, 16)
WARPMILL_VECTOR(float, float, 8, 16)
WARPMILL_VECTOR(double, double, 16, 16)

#undef WARPMILL_VECTOR

struct dim3 {
  unsigned x, y, z;
  __attribute__((host, device)) constexpr dim3(unsigned x = 1, unsigned y = 1, unsigned z = 1)
      : x(x), y(y), z(z) {}
};

// ---- indices: reading `.x` calls its getter, which reads one special register

#define WARPMILL_AXIS(axis, value)                                                          \
  __declspec(property(get = read_##axis)) unsigned axis;                                    \
  __attribute__((device, always_inline, nodebug)) static unsigned read_##axis() { return value; }

#define WARPMILL_INDEX(object, vx, vy, vz)                                                  \
  struct warpmill_##object {                                                                \
    WARPMILL_AXIS(x, vx)                                                                    \
    WARPMILL_AXIS(y, vy)                                                                    \
    WARPMILL_AXIS(z, vz)                                                                    \
    __attribute__((device, always_inline, nodebug)) operator dim3() const {                 \
      return dim3(read_x(), read_y(), read_z());                                            \
    }                                                                                       \
    __attribute__((device, always_inline, nodebug)) operator uint3() const {                \
      return make_uint3(read_x(), read_y(), read_z());                                      \
    }                                                                                       \
  };                                                                                        \
  extern const __attribute__((device, weak)) warpmill_##object object;

// ---- atomics, at the scope of the device where clang knows scopes

#if defined(__MEMORY_SCOPE_DEVICE)
#define WARPMILL_FETCH(op, p, v) \
  __scoped_atomic_fetch_##op(p, v, __ATOMIC_RELAXED, __MEMORY_SCOPE_DEVICE)
#define WARPMILL_EXCHANGE(p, v) \
  __scoped_atomic_exchange_n(p, v, __ATOMIC_RELAXED, __MEMORY_SCOPE_DEVICE)
#define WARPMILL_COMPARE(p, e, v)                                                   \
  __scoped_atomic_compare_exchange_n(p, e, v, 0, __ATOMIC_RELAXED, __ATOMIC_RELAXED, \
                                     __MEMORY_SCOPE_DEVICE)
#else
#define WARPMILL_FETCH(op, p, v) __atomic_fetch_##op(p, v, __ATOMIC_RELAXED)
#define WARPMILL_EXCHANGE(p, v) __atomic_exchange_n(p, v, __ATOMIC_RELAXED)
#define WARPMILL_COMPARE(p, e, v) \
  __atomic_compare_exchange_n(p, e, v, 0, __ATOMIC_RELAXED, __ATOMIC_RELAXED)
#endif

#define WARPMILL_ATOMIC(name, op, type) \
  WARPMILL_DEVICE type name(type *p, type v) { return WARPMILL_FETCH(op, p, v); }

#define WARPMILL_ATOMICS(type)                                                                   \
  WARPMILL_ATOMIC(atomicAdd, add, type)                                                          \
  WARPMILL_ATOMIC(atomicSub, sub, type)                                                          \
  WARPMILL_ATOMIC(atomicMin, min, type)                                                          \
  WARPMILL_ATOMIC(atomicMax, max, type)                                                          \
  WARPMILL_ATOMIC(atomicAnd, and, type)                                                          \
  WARPMILL_ATOMIC(atomicOr, or, type)                                                            \
  WARPMILL_ATOMIC(atomicXor, xor, type)                                                          \
  WARPMILL_DEVICE type atomicExch(type *p, type v) { return WARPMILL_EXCHANGE(p, v); }            \
  WARPMILL_DEVICE type atomicCAS(type *p, type expected, type v) {                               \
    WARPMILL_COMPARE(p, &expected, v);                                                           \
    return expected;                                                                             \
  }

WARPMILL_ATOMICS(int)
WARPMILL_ATOMICS(unsigned)
WARPMILL_ATOMICS(unsigned long long)
WARPMILL_ATOMIC(atomicAdd, add, float)
WARPMILL_ATOMIC(atomicAdd, add, double)

WARPMILL_DEVICE float atomicExch(float *p, float v) {
  int was = WARPMILL_EXCHANGE((int *)p, __builtin_bit_cast(int, v));
  return __builtin_bit_cast(float, was);
}

#undef WARPMILL_ATOMICS
#undef WARPMILL_ATOMIC
