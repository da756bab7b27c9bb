"""The features, one module each, and their helper modules."""
