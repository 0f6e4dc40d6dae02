"""The page that a GM taps: shows it as HTML, and writes what a tap means into the campaign."""
