"""scikit-learn estimators: trees, models of counts, conditional random fields, utilities, entities."""
