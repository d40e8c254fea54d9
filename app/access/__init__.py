"""Who may ask: credentials, and the door that looks at them before anything else is done."""
