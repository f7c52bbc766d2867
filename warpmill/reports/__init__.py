"""Reports: what each command answers, as frozen models that views turn into text, JSON or CSV."""
