"""steadygrid's front end: what both the service and its workers know."""
