"""Building blocks without dependencies: values, text, errors."""
