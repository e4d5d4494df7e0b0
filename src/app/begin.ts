/**
 * The first code of the application's page: small and without React, so that it runs while the rest is still loading. It
 * asks the address's questions, requests its screen's code, then has everything drawn.
 */
import { takeFirstAnswers } from "./data/first-answers.ts";
import { createQueryClient } from "./data/query-client.ts";
import { startReads } from "./frame/early-reads.ts";
import { loadScreen } from "./frame/screen-loads.ts";
import "./styles/frame.css";

/** How long the frame waits for a slow screen, to avoid drawing twice. */
const PATIENCE_MS = 500;

/** Questions go first, because their answers may lead to others; a server that is slow to identify the reader delays no code. */
const QUESTIONS_FIRST_MS = 50;

const client = createQueryClient();
takeFirstAnswers(client);
const asked = startReads(client, location);
const screen = Promise.race([asked, pause(QUESTIONS_FIRST_MS)]).then(() => loadScreen(location.pathname));

// The page already names its files (`vite.config.ts`). Not awaited by this module: the frame imports from this module's file.
import("./frame.tsx").then(async ({ drawFrame }) => {
  await Promise.race([screen, pause(PATIENCE_MS)]);
  drawFrame(client);
}, sayThatNothingCame);

function pause(milliseconds: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, milliseconds));
}

/** Without the frame's code nothing else can report it. */
function sayThatNothingCame(): void {
  const main = document.createElement("main");
  main.className = "page";
  main.textContent = `The code of ${__SITE_NAME__} could not be loaded. Check that you are online and reload the page.`;
  document.querySelector("#frame")?.replaceChildren(main);
}
