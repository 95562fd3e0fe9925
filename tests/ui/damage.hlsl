//! library
// What a mistake of grammar makes of its item is in doubt, and what hangs on that; everything else is checked.
struct Broken { float x; float ) y; };                                                  //~ ERROR WG0010

// Names what is broken, or what names that.
struct Uses { Broken b; };
float useB(Uses u) { return u.b.y + u.b.missing; }
float again() { Uses u; return u.missing; }

// Sound.
struct Sound { float v; };
float own(Sound s) { return s.w; }                                                      //~ ERROR WG0204
float unknown() { return nothing; }                                                     //~ ERROR WG0101

// A parameter that nobody can read, of a name that others call.
float called(Sound s, int +) { return s.v; }                                            //~ ERROR WG0010
float calls(Sound s) { return called(s, 1, 2); }
float sum(Sound s) { return s.v + s.u; }                                                //~ ERROR WG0204

// In a body: the head is known.
float body(Sound s) { return s.v + ; }                                                  //~ ERROR WG0010
float head(Sound s) { return body(s, 1); }                                              //~ ERROR WG0201
