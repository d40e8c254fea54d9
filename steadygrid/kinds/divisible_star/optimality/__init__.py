"""The referee's own proofs that no participants, order or distribution make a star faster."""
