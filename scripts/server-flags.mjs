/**
 * V8 13.6 (Node.js 24) occasionally crashes when it frees the machine code of a WebAssembly import that another thread still uses
 * ("Check failed: jit_page.has_value()" below Runtime_TierUpWasmToJSWrapper). Node.js itself runs WebAssembly (it strips types
 * and parses HTTP with it), and each of our threads does. Without this collection, machine code is never freed: a few KB per
 * compiled function, once.
 */
export const WASM_FLAGS = ["--no-wasm-code-gc"];

/**
 * Flags and variables that keep the server's memory small after a flood of requests: 326 MB above idle became 196. Each thread
 * keeps new objects in a young generation that stays at its peak size (by default three times 16 MB), and glibc keeps an arena
 * of freed memory per thread. By default glibc also raises the size from which it maps blocks to the size of the largest block
 * freed, up to 32 MB: bodies of 4 MB left 302 MB behind, with a fixed size 187.
 */
export const SERVER_FLAGS = [...WASM_FLAGS, "--max-semi-space-size=8"];
export const SERVER_ENVIRONMENT = { MALLOC_ARENA_MAX: "2", MALLOC_MMAP_THRESHOLD_: "1048576" };
