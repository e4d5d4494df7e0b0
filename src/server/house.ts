/**
 * The house: all rooms of the service, in the order in which they open. Each receives the ground (`ground.ts`) and the exports of
 * earlier rooms, and closes before them. A new room is a folder and a line here (CONTRIBUTING.md).
 */
import { accountRoom } from "#accounts/index.ts";
import { answerRoom, modelRoom } from "#answers/index.ts";
import { apiRoom } from "#api/index.ts";
import { appRoom } from "#app/.server/open-app.ts";
import { buildRoom } from "#builds/index.ts";
import { cacheRoom } from "#cache/index.ts";
import type { LibraryContent } from "#docs/mcp/library.ts";
import { mcpRoom } from "#docs/mcp/open-mcp.ts";
import { emptyHouse } from "#platform/house/plan.ts";
import { registryRoom } from "#registry/index.ts";
import { searchRoom } from "#search-server/index.ts";
import { siteRoom } from "#site/.server/open-site.ts";
import { telemetryRoom } from "#telemetry/index.ts";
import type { Floor } from "./ground.ts";

export const house = emptyHouse<Floor>()
  // Organizations, people, tokens, trust in CI providers; sign-in, and the event stream.
  .room(accountRoom)
  // Results of build tools.
  .room(cacheRoom)
  // Images, also those of other registries.
  .room(registryRoom)
  // Container builds on builders.
  .room(buildRoom)
  // The API to all of that.
  .room(apiRoom)
  // Data that readers of the pages agreed to send.
  .room(telemetryRoom)
  // The model that writes answers, if the operator names one.
  .room(modelRoom)
  // The search of the pages, and of indexes made over HTTP.
  .room(searchRoom)
  // The pages themselves, and the command-line tool.
  .room(siteRoom<LibraryContent>())
  // The pages for agents.
  .room(mcpRoom)
  // Answers to questions, from the pages.
  .room(answerRoom)
  // The web application and the operator's console.
  .room(appRoom);
