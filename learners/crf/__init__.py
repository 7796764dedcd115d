"""Linear-chain conditional random fields with many labels, many tests, and few weights not zero."""
