"""Tests of kernels: the plugin of pytest."""
