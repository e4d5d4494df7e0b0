/** Preloaded into a child process with a channel to its parent. When the parent ends, for any reason, the child exits. */
process.once("disconnect", () => process.exit(1));
// The channel must not keep a finished child alive.
process.channel?.unref();
