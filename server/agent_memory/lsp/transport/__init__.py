"""JSON-RPC: framing, the fast lane, the client's side and the pygls adapter."""
