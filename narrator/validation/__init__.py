"""
Judges suggestions before they reach a table.
"""
