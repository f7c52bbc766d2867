"""Views: reports as text, JSON, CSV and DOT. They give texts back and print nothing."""
