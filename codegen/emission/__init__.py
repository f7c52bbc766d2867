"""Emission: clones, their memory and their launches as the texts of PTX, CUDA and launch files.

``files.emit`` makes all of them. Instructions come from the analyzer's PTX printer alone, frames
from ``codegen/templates``; what is decided is decided here.
"""
