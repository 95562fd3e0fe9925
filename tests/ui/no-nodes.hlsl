uint helper(uint x) { return x + 1; } //~ WARN WG0416
