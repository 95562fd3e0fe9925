//! library
// An item with a syntax error is in doubt, and so are its uses; everything else is checked.
struct Broken { float x; float ) y; };                                                  //~ ERROR WG0010

// Names the broken item, or an item that names it.
struct Uses { Broken b; };
float useB(Uses u) { return u.b.y + u.b.missing; }
float again() { Uses u; return u.missing; }

// Correct.
struct Sound { float v; };
float own(Sound s) { return s.w; }                                                      //~ ERROR WG0204
float unknown() { return nothing; }                                                     //~ ERROR WG0101

// An unreadable parameter of a function that others call.
float called(Sound s, int +) { return s.v; }                                            //~ ERROR WG0010
float calls(Sound s) { return called(s, 1, 2); }
float sum(Sound s) { return s.v + s.u; }                                                //~ ERROR WG0204

// In a body: the head is known.
float body(Sound s) { return s.v + ; }                                                  //~ ERROR WG0010
float head(Sound s) { return body(s, 1); }                                              //~ ERROR WG0201
