"""What every model from strings to strings offers."""
