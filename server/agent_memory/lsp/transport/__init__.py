"""JSON-RPC: framing, the fast lane and the pygls adapter."""
