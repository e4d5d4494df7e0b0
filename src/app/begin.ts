/**
 * The first code of the application's page: small and without React, so that it runs while the rest still comes. It asks the
 * address's questions and for its screen's code, then has everything drawn.
 */
import { takeFirstAnswers } from "./data/first-answers.ts";
import { createQueryClient } from "./data/query-client.ts";
import { startReads } from "./frame/early-reads.ts";
import { loadScreen } from "./frame/screen-loads.ts";
import "./styles/frame.css";

/** How long the frame waits for a slow screen, so as not to be drawn twice. */
const PATIENCE_MS = 500;

/** The questions go first, because what they answer may lead to others; a server that is slow to know who asks holds up no code. */
const QUESTIONS_FIRST_MS = 50;

const client = createQueryClient();
takeFirstAnswers(client);
const asked = startReads(client, location);
const screen = Promise.race([asked, pause(QUESTIONS_FIRST_MS)]).then(() => loadScreen(location.pathname));

// The page names its files already (`vite.config.ts`). Not awaited by this module: the frame imports what is in its file.
import("./frame.tsx").then(async ({ drawFrame }) => {
  await Promise.race([screen, pause(PATIENCE_MS)]);
  drawFrame(client);
}, sayThatNothingCame);

function pause(milliseconds: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, milliseconds));
}

/** Without the frame's code nothing else can say it. */
function sayThatNothingCame(): void {
  const main = document.createElement("main");
  main.className = "page";
  main.textContent = `The code of ${__SITE_NAME__} could not be loaded. Check that you are online and reload the page.`;
  document.querySelector("#frame")?.replaceChildren(main);
}
