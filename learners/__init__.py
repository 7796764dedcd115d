"""scikit-learn estimators: trees, count models, random fields, utilities, entities."""
