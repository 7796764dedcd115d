"""Records, errors, lines of text, writing conventions, and readers and writers of data."""
