"""The page that a GM taps: what stands on it, in HTML, and what a tap writes into the campaign."""
