"""scikit-learn estimators: trees, count models, conditional random fields, utilities, entities."""
