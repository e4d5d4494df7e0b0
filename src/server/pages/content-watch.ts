import { relative, sep } from "node:path";
import type { Plugin } from "vite";
import { root } from "./build-folders.ts";

interface Options {
  /** Called after changes below `content/`, never while an earlier call is still running. */
  onChange: () => Promise<void>;
  /** Errors that currently stop a build; the browser shows them above the last good page. */
  errors: () => string[];
  /** The last page's code failed, so it is reloaded after any change. */
  mustReload: () => boolean;
}

/** Code that Node.js itself has loaded, which Vite cannot replace in a running server. */
const loadedOnce =
  /^(?!src\/telemetry\/browser\/)(?!.*\.test\.ts)(?:site\.config|scripts\/.*|src\/[\w-]+|src\/(?:app|docs|platform|search|search-server|server|telemetry|site\/\.server)\/.*)\.tsx?$/;

/**
 * Reports saved content. It uses Vite's watcher, since Node's `fs.watch` loses a file for good when an editor
 * or git replaces it; and it is a plugin, since Vite makes a new watcher when it restarts itself.
 */
export function contentWatch({ onChange, errors, mustReload }: Options): Plugin {
  return {
    name: "millrace:content-watch",
    configureServer(server) {
      const show = () => {
        if (errors().length === 0) return;
        server.ws.send({ type: "error", err: { message: errors().join("\n\n"), stack: "" } });
      };
      const changed = gather(async () => {
        await onChange();
        // A page is data, not a module: the browser reloads it and keeps its scroll position.
        if (errors().length === 0) server.ws.send({ type: "full-reload" });
        show();
      });
      server.watcher.on("all", (event, path) => {
        const file = relative(root, path).split(sep).join("/");
        if (mustReload()) server.ws.send({ type: "full-reload" });
        if (file.startsWith("content/")) changed();
        // The author's panel shows the questions.
        else if (/^tests\/relevance\/.*\.yaml$/.test(file)) server.ws.send({ type: "full-reload" });
        else if (event === "change" && loadedOnce.test(file))
          console.warn(
            `\n${file} changed. Content, search and telemetry still use the old version: stop the server and run \`npm run dev\` again.`,
          );
      });
      // A reloaded page shows the same error again.
      server.ws.on("connection", show);
    },
  };
}

/** Editors save in several steps: simultaneous changes are handled once, and changes that arrive meanwhile once more. */
function gather(work: () => Promise<void>): () => void {
  let timer: NodeJS.Timeout | undefined;
  let running = Promise.resolve();
  return () => {
    clearTimeout(timer);
    timer = setTimeout(() => {
      running = running.then(work).catch((error: unknown) => console.error(error));
    }, 60);
  };
}
