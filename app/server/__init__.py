"""The server around the application: who may connect, and how long a request may take.

Everything about HTTP itself is uvicorn's. What it leaves open is here: deadlines for header
fields and for answers that no client reads, a limit of connections, and a reserve for probes.
What concerns bodies and waiting is the application's (`app.http`), under every server.
"""
