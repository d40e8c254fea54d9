"""What the contract halves of several kinds share."""
