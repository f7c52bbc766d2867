"""The grammars of warpmill as data, read with lark."""
