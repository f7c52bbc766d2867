"""Miniature clones of launches: made from profiles, searched for, held beside their originals."""
