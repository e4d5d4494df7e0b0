/** Opens a page in the browser of this machine's user. */
import { spawn } from "node:child_process";

/** Whether there is a screen to open it on. */
export function hasScreen(env: NodeJS.ProcessEnv, platform: string = process.platform): boolean {
  // Over SSH, a browser would open on a machine that no one sits at.
  if (env["SSH_CONNECTION"]) return false;
  return platform === "darwin" || platform === "win32" || Boolean(env["DISPLAY"] || env["WAYLAND_DISPLAY"]);
}

/** Fails silently: the terminal also shows the address. Opens web pages only. */
export function openBrowser(address: string, platform: string = process.platform): void {
  if (!URL.canParse(address) || !/^https?:/i.test(address)) return;
  // No shell: an address could be a command to it. On Windows, `start` exists only in the shell.
  const [command, ...args] =
    platform === "darwin"
      ? ["open"]
      : platform === "win32"
        ? ["rundll32", "url.dll,FileProtocolHandler"]
        : ["xdg-open"];
  const child = spawn(command!, [...args, new URL(address).href], { stdio: "ignore", detached: true });
  child.on("error", () => {});
  child.unref();
}
