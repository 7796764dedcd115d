"""scikit-learn estimators: trees, models of counts, random fields, utilities, entities."""
