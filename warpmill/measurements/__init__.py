"""Tables of measured times: read, columns named or guessed, launches and machines found."""
