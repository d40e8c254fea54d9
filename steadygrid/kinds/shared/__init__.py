"""What contract halves of several kinds share."""
