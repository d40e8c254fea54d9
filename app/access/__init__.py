"""Who may ask: credentials, and the admission that reads them before any body is read."""
