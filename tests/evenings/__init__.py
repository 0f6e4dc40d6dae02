"""What happens between rolls, played as the documents tell it: each test names document and section."""
