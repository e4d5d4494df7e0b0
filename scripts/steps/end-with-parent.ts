/** Preloaded into a child process with a channel to its parent: when the parent is gone, however it ended, so is the child. */
process.once("disconnect", () => process.exit(1));
// Work that is done must not wait for the parent.
process.channel?.unref();
