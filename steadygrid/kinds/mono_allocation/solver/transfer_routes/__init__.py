"""The routes that the files of an allocation take: the best for a mapping, those of copies."""
