import { join } from "node:path";
import { afterEach, expect, test, vi } from "vitest";
import { root } from "./build-folders.ts";
import { setupCommand } from "./setup-command.ts";

afterEach(() => vi.unstubAllEnvs());

test("what an operator types can be typed as it stands", () => {
  vi.stubEnv("npm_lifecycle_event", "start");
  expect(setupCommand({ DATA_DIR: join(root, ".data") })).toBe("npm start -- setup-builders");
  expect(setupCommand({ DATA_DIR: "/srv/of Ada" })).toBe(
    "DATA_DIR='/srv/of Ada' npm start -- setup-builders",
  );
  // A service's user cannot change the machine.
  vi.stubEnv("npm_lifecycle_event", undefined);
  expect(setupCommand({ DATA_DIR: "/srv/of Ada" })).toBe(
    `cd ${root} && sudo 'DATA_DIR=/srv/of Ada' npm start -- setup-builders`,
  );
});
