/**
 * Attacks the real production server, item by item of decisions/009-threat-model.md.
 *
 *   npm run test:attack                                every attack, and a fuzz of 20 seconds
 *   npm run test:attack -- --short                     as `npm run test:clients` runs them: always with the same seed
 *   npm run test:attack -- --short --only 29 --without-builders   the worst requests for 20 seconds, without BuildKit
 *   npm run test:attack -- --only 3,17                 these items; 0 is the fuzz
 *   npm run test:attack -- --long                      with 200 kills each of index writes, swaps, telemetry, accounts, cache, registry and build
 *   npm run test:attack -- --only 0 --fuzz 600         ten minutes of random requests
 *   npm run test:attack -- --only 29 --worst 3600      an hour of the worst requests, made from the contracts and routes
 *   npm run test:attack -- --repeat-worst 7:123        request 123 of those with seed 7, alone
 *   npm run test:attack -- --only soak --soak 1000000  a million requests, and what has grown after them
 *   npm run test:attack -- --repeat 7:123              request 123 of the fuzz with seed 7, alone
 *   --seed 7, --write (the table into bench/README.md), --results <file> (everything as JSON)
 */
import { writeFileSync } from "node:fs";
import { parseArgs } from "node:util";
import { attacks } from "./attacks.ts";
import type { Attack, Figure } from "./attack.ts";
import { repeatWorst, schemaWorst } from "./attacks/29-schema-worst.ts";
import { fuzzAttack, repeatFuzz } from "./fuzz/fuzz-attack.ts";
import { describeFigure, writeTable } from "./report.ts";
import { prepareBuild } from "./server-process.ts";
import { soakAttack } from "./soak.ts";
import { openTheatre } from "./stage.ts";
import { countVerdicts, judge, type Verdict } from "./verdict.ts";

const { values: options } = parseArgs({
  options: {
    only: { type: "string" },
    short: { type: "boolean", default: false },
    long: { type: "boolean", default: false },
    seed: { type: "string" },
    /** Seconds. */
    fuzz: { type: "string", default: "20" },
    /** Requests. */
    soak: { type: "string", default: "0" },
    repeat: { type: "string" },
    /** Seconds. */
    worst: { type: "string", default: "20" },
    "repeat-worst": { type: "string" },
    "without-builders": { type: "boolean", default: false },
    write: { type: "boolean", default: false },
    results: { type: "string" },
  },
});

/** Anything longer may take hours. */
const USUAL_SECONDS = 1_200;

const seed = Number(options.seed ?? (options.short ? 1 : Date.now() % 1_000_000));
const hasBuilders = !options["without-builders"];
if (options.repeat) await repeatFuzz(options.repeat);
else if (options["repeat-worst"]) await repeatWorst(options["repeat-worst"], hasBuilders);
else await attackAll(chosenAttacks());

function chosenAttacks(): Attack[] {
  const all: Attack[] = [
    ...attacks,
    schemaWorst({ seconds: Number(options.worst), hasBuilders }),
    fuzzAttack(Number(options.fuzz)),
  ];
  const requests = Number(options.soak);
  if (requests > 0) all.push(soakAttack(requests));
  const wanted = options.only?.split(",").map((item) => (item === "soak" ? -1 : Number(item)));
  return all.filter(
    ({ item, isLong }) => (wanted ? wanted.includes(item) : true) && (options.long || !isLong),
  );
}

async function attackAll(chosen: Attack[]): Promise<void> {
  await prepareBuild();
  const theatre = openTheatre({
    isShort: options.short,
    isLong: options.long || Number(options.soak) > 0 || Number(options.worst) > USUAL_SECONDS,
    seed,
  });
  const figures: Figure[] = [];
  const verdicts: { label: string; word: Verdict["word"] }[] = [];
  console.log(`seed ${seed}`);
  for (const attack of chosen) {
    const started = performance.now();
    const cpuBefore = theatre.cpuSeconds();
    const outcome = await theatre.perform(attack);
    figures.push(...outcome.figures);
    const label = `${String(attack.item).padStart(2)} ${attack.name}`;
    const seconds = ((performance.now() - started) / 1000).toFixed(1);
    const cpuSeconds = (theatre.cpuSeconds() - cpuBefore).toFixed(1);
    const { word, problems } = judge(outcome);
    console.log(`  ${word.padEnd(9)} ${label}, ${seconds} s, ${cpuSeconds} s of CPU time`);
    for (const figure of outcome.figures) console.log(`           ${describeFigure(figure)}`);
    for (const problem of problems) console.log(`         ! ${problem}`);
    verdicts.push({ label, word });
  }
  await theatre.close();
  const counts = countVerdicts(verdicts);
  if (options.results) writeFileSync(options.results, JSON.stringify({ seed, ...counts, figures }, null, 2));
  if (options.write) writeTable(figures);
  console.log(
    `${counts.passed} attacks held, ${counts.failed} did not, ${counts.notTried.length} were not tried in full`,
  );
  if (counts.failed > 0 || chosen.length === 0) process.exitCode = 1;
}
