"""What stands between narrator, a model and a table: finds models here, tries one, and says what is amiss."""
