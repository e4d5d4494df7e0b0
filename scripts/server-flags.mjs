/**
 * V8 13.6 (Node.js 24) ends the process now and then when it frees the machine code of a WebAssembly import that another
 * thread still has ("Check failed: jit_page.has_value()" below Runtime_TierUpWasmToJSWrapper). Node.js itself runs
 * WebAssembly (it strips types and parses HTTP with it), and each of our threads does. Without this collection nothing is
 * freed: a few KB for each function that is compiled, once.
 */
export const WASM_FLAGS = ["--no-wasm-code-gc"];

/**
 * How the server is started, so that a flood of requests leaves it small: 326 MB above idle became 196. Each thread keeps
 * what was made last in a young generation, which is as large as its worst moment (16 MB thrice by itself), and glibc keeps
 * an arena of freed memory for each thread that it meets. It also moves the size from which blocks go back to the system up to
 * that of the largest one that was freed, 32 MB at most: bodies of 4 MB left 302 MB behind, 187 with a fixed one.
 */
export const SERVER_FLAGS = [...WASM_FLAGS, "--max-semi-space-size=8"];
export const SERVER_ENVIRONMENT = { MALLOC_ARENA_MAX: "2", MALLOC_MMAP_THRESHOLD_: "1048576" };
