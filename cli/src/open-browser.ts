/** Opens a page in the browser of the person at this machine. */
import { spawn } from "node:child_process";

/** Whether there is a screen to open it on. */
export function hasScreen(env: NodeJS.ProcessEnv, platform: string = process.platform): boolean {
  // Over SSH a browser would open on the machine that nobody sits at.
  if (env["SSH_CONNECTION"]) return false;
  return platform === "darwin" || platform === "win32" || Boolean(env["DISPLAY"] || env["WAYLAND_DISPLAY"]);
}

/** Tries and says nothing: the address stands in the terminal, too. Anything but a web page is not opened. */
export function openBrowser(address: string, platform: string = process.platform): void {
  if (!URL.canParse(address) || !/^https?:/i.test(address)) return;
  // Without a shell, for which an address could be a command. `start` of Windows is one of its shell's.
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
