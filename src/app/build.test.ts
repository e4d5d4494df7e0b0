/** Every page and chunk of the application's build finds the files that it names, with and without the component pages. */
import { fileURLToPath } from "node:url";
import { afterEach, expect, test, vi } from "vitest";
import { build } from "vite";

afterEach(() => vi.unstubAllEnvs());

const pagesOf = async (componentPages: string) => {
  vi.stubEnv("COMPONENT_PAGES", componentPages);
  // Throws when a name is missing.
  const built = await build({
    configFile: fileURLToPath(new URL("vite.config.ts", import.meta.url)),
    logLevel: "silent",
    build: { write: false },
  });
  if (!("output" in built)) throw new Error("The build has no single output.");
  return built.output.map(({ fileName }) => fileName).filter((name) => name.endsWith(".html"));
};

test("the build that is shipped, and the one of the tests", async () => {
  expect(await pagesOf("")).toEqual(["frame.html", "index.html"]);
  expect(await pagesOf("1")).toEqual(["components.html", "frame.html", "index.html"]);
}, 60_000);
