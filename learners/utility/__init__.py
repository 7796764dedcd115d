"""Training and deciding for a utility: the F score, sensitivity and specificity, and others."""
