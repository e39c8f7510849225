// Functions and data that loaded objects define, read from their own tables. Never by dlsym(): another preloaded
// library may have replaced it, and RTLD_NEXT then means the next object behind that library, which may be this one.
// dlsym() waits for the loader's lock, too, and changes what dlerror() says to the program.
#pragma once

namespace tauprof::capture {

// The next definition behind this library in the link map: of a library that is preloaded behind it, or libc's. Where
// this library was loaded later than libc, the first one of any other object. Null: there is none.
void* next_definition(const char* name);

// The first definition in the global scope, which dlsym(RTLD_DEFAULT, …) means, or null.
void* global_definition(const char* name);

}  // namespace tauprof::capture
