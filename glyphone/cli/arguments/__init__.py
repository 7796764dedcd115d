"""Arguments that several verbs share: types of their values, and groups of options; no verbs."""
