import { join } from "node:path";
import { afterEach, expect, test, vi } from "vitest";
import { setupCommand } from "./setup-command.ts";

const root = join(import.meta.dirname, "../../..");

afterEach(() => vi.unstubAllEnvs());

test("what an operator types can be typed as it stands", () => {
  vi.stubEnv("npm_lifecycle_event", "start");
  expect(setupCommand(root, { DATA_DIR: join(root, ".data") })).toBe("npm start -- setup-builders");
  expect(setupCommand(root, { DATA_DIR: "/srv/of Ada" })).toBe(
    "DATA_DIR='/srv/of Ada' npm start -- setup-builders",
  );
  // A service's user cannot change the machine.
  vi.stubEnv("npm_lifecycle_event", undefined);
  expect(setupCommand(root, { DATA_DIR: "/srv/of Ada" })).toBe(
    `cd ${root} && sudo 'DATA_DIR=/srv/of Ada' npm start -- setup-builders`,
  );
});
