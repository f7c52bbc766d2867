// What a CUDA toolkit adds here to clang, `__match_*` and `__nanosleep`, is not there without it.
