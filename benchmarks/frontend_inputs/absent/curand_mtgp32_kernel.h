// clang asks for this header of the toolkit, which an installation without cuRAND lacks.
