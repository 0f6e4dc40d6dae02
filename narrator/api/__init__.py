"""The public calls: each reads a request, finds its ruleset, and hands on to rules, check or pipeline."""
