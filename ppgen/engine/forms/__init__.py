"""Fields to type into, on finished PDF pages."""
