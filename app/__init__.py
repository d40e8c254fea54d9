"""steadygrid's REST front end, and the database that it shares with the workers."""
