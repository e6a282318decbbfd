enum DecisionPlaceholder {}
