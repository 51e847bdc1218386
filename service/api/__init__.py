"""The addresses of tables: HTTP, WebSockets and event streams, thin above the hub."""
