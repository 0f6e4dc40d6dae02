"""Renderers, one a surface, each escaping for it. They read what the rules found and nothing else."""
