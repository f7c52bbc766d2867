// Its words are there without it.
