// A library that only brings others with it.
extern "C" __attribute__((visibility("default"))) int group_size() { return 3; }
