"""The version of warpmill, by itself: whoever tells it need not import everything."""

__version__ = "0.1.0"
