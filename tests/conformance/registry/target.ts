/**
 * A registry that the rows of the suite test, over HTTP: a test server of ours, or any other by its address.
 *
 *   CONFORMANCE_URL=http://localhost:5000 npx vitest run --project=stateful tests/conformance
 *
 * with `CONFORMANCE_TOKEN` if it needs one (as Bearer), and `CONFORMANCE_REPOSITORY` for the names of its repositories,
 * in which `*` becomes a number: `conformance/repository-*` if it is not set. Rows that only we promise are left out
 * there.
 */
import { createProject, createToken } from "#accounts/index.ts";
import { makePerson } from "#accounts/testing/accounts.ts";
import { consoleLog } from "#platform/log/log.ts";
import { openTestRegistry } from "#registry/testing/registry.ts";

export interface Target {
  url: string;
  /** Null: the registry asks for none. */
  token: string | null;
  /** Whether it is a Millrace, which promises more than the specification requires. */
  isOurs: boolean;
  /** @returns the name of an empty repository, in which everything is allowed */
  makeRepository: () => Promise<string>;
  close: () => Promise<void>;
}

export function openTarget(): Promise<Target> {
  const url = process.env["CONFORMANCE_URL"];
  return url === undefined ? openOurs() : Promise.resolve(otherAt(url));
}

function otherAt(url: string): Target {
  const pattern = process.env["CONFORMANCE_REPOSITORY"] ?? "conformance/repository-*";
  let made = Date.now();
  return {
    url: url.replace(/\/$/, ""),
    token: process.env["CONFORMANCE_TOKEN"] ?? null,
    isOurs: false,
    makeRepository: () => Promise.resolve(pattern.replace("*", String((made += 1)))),
    close: () => Promise.resolve(),
  };
}

/** Each row's projects are changes that the log reports. */
const quietLog = { ...consoleLog, info() {} };

async function openOurs(): Promise<Target> {
  // A thousand commits would wait five seconds and more for the disk, and the kill tests prove durability.
  const test = await openTestRegistry("sqlite", { isInMemory: true, log: quietLog });
  const { caller } = await makePerson({ accounts: test.accounts }, "ada", { organization: "acme" });
  const { secret } = await createToken(test.accounts, caller, { name: "conformance", type: "org" });
  let made = 0;
  return {
    url: test.url,
    token: secret,
    isOurs: true,
    async makeRepository() {
      const name = `repository-${(made += 1)}`;
      await createProject(test.accounts, caller, { name });
      return `acme/${name}`;
    },
    close: () => test.close(),
  };
}
