"""Campaigns: the only room that keeps scenes, with their pages and log, in one database file each."""
