"""Public pronunciation lists, one module for each language: TASKS, and why they read as they do."""
