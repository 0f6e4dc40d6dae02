"""The public calls: each reads a request, finds its ruleset, and calls the rules, the check or the pipeline."""
