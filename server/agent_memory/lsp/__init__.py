"""The language server: thin handlers over the core; the only package that imports pygls.

``boot`` answers ``initialize``; ``host`` runs the process and the fast lane; ``server`` is the
pygls server. ``protocol.methods`` is the table of all methods; each feature is one module.
"""
