/** Preloaded into a child process with a channel to its parent. When the parent ends, for whatever reason, the child exits. */
process.once("disconnect", () => process.exit(1));
// The channel must not keep a child alive whose work is done.
process.channel?.unref();
