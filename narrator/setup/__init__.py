"""Help with setting up: finds models on this machine, tries one, and says why something doesn't work."""
