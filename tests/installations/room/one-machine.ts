/** Installs the server by the page "Run the server on one machine", in a room. */
import type { StepPlan } from "../../clients/pages/page-plan.ts";
import type { ShellSession } from "../../clients/shell-session.ts";
import type { Clock } from "./clock.ts";
import { follow, ORIGIN, readPage } from "./pages.ts";
import { type Room, succeeded } from "./room.ts";

export interface Machine {
  room: Room;
  /** The shell of a user who may become root. */
  shell: ShellSession;
  clock: Clock;
  /** Lines for `millrace.env`, in addition to those of the page. */
  settings: { [name: string]: string };
}

const page = readPage("/docs/managed/overview/one-machine");
const SETTINGS = "/etc/millrace/millrace.env";
const SETUP = "npm start -- setup-builders";

/** Commands that a reader types differently from the page. */
const PLAN: readonly StepPlan[] = [
  {
    starts: "sudo git clone",
    names: [["https://git.example.com/tools/millrace.git", "/mnt/repository"]],
  },
  {
    starts: `sudo DATA_DIR=/var/lib/millrace/data ${SETUP} --yes`,
    isLeftOut: "is what the command before it is run as",
  },
  {
    // Answers yes, and names a folder to save the minutes of a download or of Go's compiler.
    starts: `sudo DATA_DIR=/var/lib/millrace/data ${SETUP}`,
    names: [[SETUP, `${SETUP} --yes --from /mnt/programs`]],
  },
];

/** Another release than the newest one. */
export const cloneOf = (branch: string): StepPlan[] => [
  { starts: "sudo git clone", as: `sudo git clone --branch ${branch} /mnt/repository /opt/millrace` },
];

/** For a second machine of the same release: `/opt/millrace` was copied from the first one, which has built it. */
export const COPIED: readonly StepPlan[] = [
  { starts: "sudo git clone", isLeftOut: "is what the first machine did" },
  { starts: "sudo npm run build", isLeftOut: "is what the first machine did" },
];

/** Resolves when the service answers. */
export async function installServer(machine: Machine, differs: readonly StepPlan[] = []): Promise<void> {
  const { room, shell, clock, settings } = machine;
  const reader = { shell, origin: ORIGIN, plan: [...differs, ...PLAN] };
  await clock.step("install the program", () => follow(page.steps("Install the program"), reader));
  const steps = page.steps("Make it a service");
  const start = steps.findIndex(({ command }) => command.includes("daemon-reload"));
  await follow(steps.slice(0, start).filter(isCommand), reader);
  const more = Object.entries(settings).map(([name, value]) => `${name}=${value}\n`);
  const text = [page.file(SETTINGS).trimEnd(), "\n", ...more].join("");
  await run(shell, `sudo tee ${SETTINGS} > /dev/null <<'THE_END'\n${text}THE_END`);
  await clock.step("make it a service", () => follow(steps.slice(start).filter(isCommand), reader));
  await room.run("until curl -sS http://127.0.0.1:3000/healthz; do sleep 0.2; done 2> /dev/null");
}

export const prepareBuilders = ({ shell, clock }: Machine) =>
  clock.step("prepare the machine for builders", () =>
    follow(page.steps("Prepare the machine for builders"), { shell, origin: ORIGIN, plan: PLAN }),
  );

/** The page's own proof, and the restrictions of the unit. */
export const checkServer = (shell: ShellSession) =>
  follow(page.steps("Check"), { shell, origin: ORIGIN, plan: [] });

/** The link for the first owner, from the log of the service since its last start, which made all others invalid. */
export async function ownerLink(room: Room): Promise<string> {
  const log =
    "journalctl --output cat _SYSTEMD_INVOCATION_ID=$(systemctl show --value --property InvocationID millrace)";
  const find = `${log} | grep -o 'https\\?://[^ ]*/app/start/[A-Z0-9-]*'`;
  return (await room.run(`until ${find}; do sleep 0.2; done`)).trim();
}

/** Files of settings are shown in separate blocks, which are not commands. */
const isCommand = ({ command }: { command: string }) => !/^[A-Z_]+=/.test(command);
const run = async (shell: ShellSession, command: string) => succeeded(command, await shell.run(command));
