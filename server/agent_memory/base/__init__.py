"""Small building blocks without dependencies: values, text, errors."""
