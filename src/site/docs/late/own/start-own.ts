import { isSignInHinted } from "./hint.ts";

/** Asks for the reader's own names, if someone is signed in. Everyone else fetches nothing. @returns a function that stops this. */
export function startOwnNames(prose: HTMLElement, path: string): () => void {
  if (!isSignInHinted()) return () => {};
  let stop: (() => void) | undefined;
  let isLeft = false;
  import("./own.ts").then(
    ({ startOwn }) => {
      if (!isLeft) stop = startOwn(prose, path);
    },
    () => {}, // Offline: the page as everyone sees it.
  );
  return () => {
    isLeft = true;
    stop?.();
  };
}
