/** The actions of a server's user, in a terminal and a browser, by the quickstart and the pages after it. */
import { setTimeout as sleep } from "node:timers/promises";
import { COMMIT } from "../../clients/pages/builds-shop.ts";
import { TURBO_SHOP } from "../../clients/pages/cache-shops.ts";
import { testedVersion } from "../../clients/cache/tools.ts";
import type { PageStep } from "../../clients/pages/page-samples.ts";
import type { ShellSession } from "../../clients/shell-session.ts";
import type { Clock } from "./clock.ts";
import { follow, installScript, readPage } from "./pages.ts";
import type { Person } from "./person.ts";
import { succeeded } from "./room.ts";

const quickstart = readPage("/docs/container-builds/quickstart");
const BUILD = "millrace build -t hello --progress plain .";
const [FIRST, AGAIN] = quickstart.steps().filter(({ command }) => command === BUILD);
const LOOK_MS = 100;

export interface User {
  shell: ShellSession;
  person: Person;
  origin: string;
  clock: Clock;
}

const starting = (steps: readonly PageStep[], text: string) =>
  steps.filter(({ command }) => command.startsWith(text));

/** By the quickstart; then by its page for a refusal, because npm's global folder belongs to root. */
export const installCli = ({ shell, origin, clock }: User) =>
  clock.step("install the CLI", async () => {
    const [install, ...check] = quickstart.steps("Build an image").slice(0, 2);
    const refused = await shell.run(install!.command.replace("{{origin}}", origin));
    if (refused.exitCode === 0 || !refused.output.includes("EACCES")) throw new Error(refused.output);
    const installed = await run(shell, installScript(origin));
    // If a former CLI is found first, the output says so instead.
    const [, add] = /^For this terminal: +(export PATH=.*)$/m.exec(installed) ?? [];
    await run(shell, add ?? 'export PATH="$HOME/.millrace/bin:$PATH"');
    await follow(check, { shell, origin, plan: [] });
  });

export async function logIn({ shell, person, origin, clock }: User): Promise<void> {
  await clock.step("log in", async () => {
    const [login] = starting(quickstart.steps(), "millrace login");
    const command = login?.command.replace("{{origin}}", origin) ?? "";
    await run(shell, `(${command} --no-browser > ~/login.log 2>&1; echo $? > ~/login.code) &`);
    let code: string | undefined;
    while (code === undefined) {
      const shown = await run(shell, "cat ~/login.log; cat ~/login.code 2>/dev/null || true");
      code = /enter the code ([A-Z]{4}-[A-Z]{4})/.exec(shown)?.[1];
      if (/^\d+$/m.test(shown)) throw new Error(shown);
      await sleep(LOOK_MS);
    }
    await person.approve(code);
    await run(
      shell,
      "until [ -s ~/login.code ]; do sleep 0.1; done; cat ~/login.log; exit_code=$(cat ~/login.code); (exit $exit_code)",
    );
  });
}

/** The folder of the quickstart, its project, and two builds. */
export async function buildTwice(user: User): Promise<void> {
  const { shell, origin, clock } = user;
  const steps = quickstart.steps("Build an image");
  await follow(starting(steps, "mkdir hello"), { shell, origin, plan: [] });
  for (const name of ["requirements.txt", "app.py", "Dockerfile"])
    await run(shell, `cat > ${name} <<'THE_END'\n${quickstart.file(name)}\nTHE_END`);
  // No one types the name here.
  const plan = [
    { starts: "millrace init", as: "millrace init --name hello", prints: ["Wrote millrace.json"] },
  ];
  await clock.step("init", () => follow(starting(steps, "millrace init"), { shell, origin, plan }));
  await clock.step("first build", () => follow([FIRST!], { shell, origin, plan: [] }));
  await buildCached(user, "build again");
}

/** Every step CACHED, as the page shows it. */
export const buildCached = ({ shell, origin, clock }: User, name: string) =>
  clock.step(name, () => follow([AGAIN!], { shell, origin, plan: [] }));

/** Save, pull elsewhere, use the cache, revoke. */
export async function useServices(user: User): Promise<void> {
  const { shell, origin, clock } = user;
  const host = new URL(origin).host;
  await clock.step("build and save", () =>
    follow(starting(quickstart.steps("Run it"), "millrace build --save-tag"), { shell, origin, plan: [] }),
  );
  const made = await run(shell, "cd ~ && millrace tokens create --name deploy-bot --expires 90d");
  const [token = "", id = ""] = [/mr_org_\w+/.exec(made)?.[0], /tok_\w+/.exec(made)?.[0]];
  await run(shell, `MILLRACE_TOKEN=${token}`);
  const tls = origin.startsWith("http:") ? "--tls-verify=false" : "";
  await clock.step("pull with skopeo", async () => {
    await run(shell, "sudo apt-get install -y --no-install-recommends skopeo > /dev/null");
    await run(shell, `echo "$MILLRACE_TOKEN" | skopeo login ${tls} ${host} -u x-token --password-stdin`);
    const copy = `skopeo copy ${tls.replace("--", "--src-")} docker://${host}/acme/hello:first oci:pulled`;
    await run(shell, copy);
    await run(shell, "test -s pulled/index.json");
  });
  await clock.step("cache with turbo", () => useTurbo(user));
  await clock.step("revoke", async () => {
    const revoked = await run(shell, `millrace tokens revoke ${id}`);
    if (!revoked.startsWith(`Revoked ${id}`)) throw new Error(revoked);
    const refused = await shell.run(`skopeo inspect ${tls} docker://${host}/acme/hello:first`);
    if (refused.exitCode === 0) throw new Error("A revoked token still pulls.");
    const asked = `curl -sS ${origin}/api/millrace.v1.ProjectService/List -H "Authorization: Bearer $MILLRACE_TOKEN" -H "Content-Type: application/json" -d '{}'`;
    const answer = await run(shell, asked);
    if (!answer.includes("token is revoked")) throw new Error(answer);
  });
}

async function useTurbo({ shell, origin }: User): Promise<void> {
  const page = readPage("/docs/cache/reference/turbo");
  await run(shell, "mkdir ~/shop && cd ~/shop");
  const files = { ...TURBO_SHOP, "turbo.json": page.file("turbo.json").replaceAll("{{origin}}", origin) };
  for (const [path, text] of Object.entries(files))
    await run(shell, `mkdir -p "$(dirname ${path})" && cat > ${path} <<'THE_END'\n${text}\nTHE_END`);
  await run(shell, COMMIT);
  // As /docs/cli/installation/proxies says for a private authority.
  if (origin.startsWith("https:"))
    await run(shell, "export SSL_CERT_FILE=/etc/ssl/certs/ca-certificates.crt");
  await run(
    shell,
    `npm install --no-save --no-audit --no-fund --prefix ~/tools turbo@${testedVersion("turbo")} && PATH=~/tools/node_modules/.bin:$PATH`,
  );
  const variables = page
    .file(".envrc")
    .replaceAll("{{origin}}", origin)
    .replace("mr_user_your_token", "$MILLRACE_TOKEN");
  await run(shell, variables);
  const plan = [
    { starts: "npx turbo run build \\", isLeftOut: "is in the tests of the cache" },
    {
      starts: "npx turbo run build --cache=local:,remote:r --dry",
      isLeftOut: "needs jq; is in the tests of the cache",
    },
  ];
  await follow(page.steps("Check that it hits"), { shell, origin, plan });
}

const run = async (shell: ShellSession, command: string) => succeeded(command, await shell.run(command));
