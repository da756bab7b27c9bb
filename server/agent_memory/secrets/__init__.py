"""Finding secrets: rules as data and one bounded scanner."""
