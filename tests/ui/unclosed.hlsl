// Where braces do not match, nothing is said about names: where functions begin and end is a guess.
uint early() { return missing; }
uint m() { return "open; } //~ ERROR WG0002
uint late() { return missing; }
