"""A small evaluation of the ranking on released packages: `make eval`."""
