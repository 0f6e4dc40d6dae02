"""Words without a model: cards that fit the action and the scene, filled with the scene's names."""
