//! Empty: the package beside this file only pins a source archive and is never compiled.
