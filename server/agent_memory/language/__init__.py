"""Natural-language helpers: tokens, similarity, imperatives."""
