"""Campaigns: what is kept, whoever writes, and whatever happens."""
