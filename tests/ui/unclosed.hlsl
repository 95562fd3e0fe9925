// If braces do not match, names are not checked: the beginnings and ends of functions are a guess.
uint early() { return missing; }
uint m() { return "open; } //~ ERROR WG0002
uint late() { return missing; }
