import type { Attack, Stage } from "../attack.ts";
import { inParallel, type Sent } from "../requests.ts";
import {
  ask,
  type AttackedRepository,
  codeOf,
  digestOf,
  emptyIndex,
  makeRepository,
  makeStranger,
  OCI_IMAGE,
  putManifest,
  toRegistry,
} from "../registry-client.ts";
import { strangeAddresses, strangeManifests, strangeTokens, strangeUploads } from "../registry-requests.ts";
import type { RunningServer } from "../server-process.ts";

const TAGS = { short: 2_000, usual: 10_000 };
/** As many as fit in an address in addition to its name. */
const TAGS_OF_ONE_PUSH = 100;
const REFERRERS = 1_005;
const MOST_UPLOADS = 1_000;
const MOUNTS = 200;

export const hostilePushes: Attack = {
  item: 22,
  name: "a hostile client of the registry",
  bound:
    "Whatever a client with a token names, sends or lists is answered in words, within the memory of an answer, and tells nothing of others' repositories.",
  async run(stage) {
    const server = await stage.server();
    const repository = await makeRepository(server, "web");
    const refused: [string, Sent][] = [
      ...strangeAddresses(repository),
      ...strangeManifests(repository),
      ...strangeUploads(repository),
    ];
    for (const [name, sent] of refused) await strikeRefused(stage, server, name, sent);
    for (const [name, sent] of strangeTokens(repository)) {
      const { status } = await stage.strike(server, name, toRegistry(sent));
      stage.check([200, 400, 413].includes(status), `${name}: ${status}`);
    }
    await ranges(stage, server, repository);
    await manyTags(stage, server, repository);
    await manyReferrers(stage, server, repository);
    // `hostile.test.ts` has the limit of an organization.
    if (!stage.isShort) await endlessUploads(stage, server, await makeRepository(server, "uploads"));
    await mountsOfOthers(stage, server, repository);
  },
};

async function strikeRefused(stage: Stage, server: RunningServer, name: string, sent: Sent): Promise<void> {
  const answer = await stage.strike(server, name, toRegistry(sent));
  const { status, body, failure } = answer;
  stage.check((status >= 400 && status < 500) || failure !== null, `${name}: ${status}`);
  const said = body.toString();
  const isSaid = sent.method === "HEAD" || codeOf(answer) !== null || failure !== null || status === 431;
  stage.check(isSaid, `${name}: it is not said what is wrong: ${said.slice(0, 200)}`);
  stage.check(!/\n\s+at /.test(said), `${name}: the answer has a stack`);
}

async function ranges(stage: Stage, server: RunningServer, { base }: AttackedRepository): Promise<void> {
  const body = "x".repeat(10_000);
  const digest = digestOf(body);
  const path = `${base}/blobs/${digest}`;
  const pushed = await ask(server, { method: "POST", path: `${base}/blobs/uploads/?digest=${digest}`, body });
  stage.check(pushed.status === 201, `a blob could not be pushed: ${pushed.status}`);
  for (const range of [
    "bytes=9-3",
    "bytes=-0",
    "bytes=10000-",
    `bytes=${"9".repeat(400)}-`,
    "bytes=-99999999999",
    "bytes=0-0,2-2,4-4",
    `bytes=${"0-1,".repeat(1_000)}2-3`,
    "lines=1-2",
    "bytes=a-b",
  ]) {
    const name = `Range: ${range.slice(0, 30)}`;
    const answer = await stage.strike(server, name, toRegistry({ path, headers: { range } }));
    stage.check([200, 206, 416].includes(answer.status), `${name}: ${answer.status}`);
    stage.check(answer.body.length <= body.length, `${name}: more than there is`);
  }
}

/** Follows `Link` to the end. @returns everything that the pages list */
async function readPages<Item>(
  stage: Stage,
  server: RunningServer,
  first: string,
  read: (body: string) => readonly Item[],
): Promise<Item[]> {
  const found: Item[] = [];
  let path: string | undefined = first;
  for (let page = 0; path !== undefined && page < 100; page += 1) {
    const answer = await stage.strike(
      server,
      `page ${page} of ${first.replace(/.*\/v2/, "")}`,
      toRegistry({ path }),
    );
    stage.check(answer.status === 200, `${path}: ${answer.status}`);
    const items = read(answer.body.toString());
    stage.check(items.length <= 1_000, `${path}: a page of ${items.length}`);
    found.push(...items);
    path = /^<([^>]+)>; rel="next"$/.exec(answer.headers["link"] ?? "")?.[1];
  }
  return found;
}

async function manyTags(stage: Stage, server: RunningServer, repository: AttackedRepository): Promise<void> {
  const count = stage.isShort ? TAGS.short : TAGS.usual;
  const body = emptyIndex();
  const tags = Array.from({ length: count }, (_, at) => `t${String(at).padStart(6, "0")}`);
  const pushes = await inParallel(count / TAGS_OF_ONE_PUSH, 4, (at) => {
    const own = tags.slice(at * TAGS_OF_ONE_PUSH, (at + 1) * TAGS_OF_ONE_PUSH);
    return ask(
      server,
      putManifest(repository, `${digestOf(body)}?${own.map((tag) => `tag=${tag}`).join("&")}`, body),
    );
  });
  const wrong = pushes.find(({ status }) => status !== 201);
  stage.check(!wrong, `tags could not be pushed: ${wrong?.status} ${wrong?.body.toString().slice(0, 200)}`);
  const list = (text: string) => (JSON.parse(text) as { tags: string[] }).tags;
  const found = await readPages(stage, server, `${repository.base}/tags/list?n=${count}`, list);
  stage.check(
    found.join() === tags.join(),
    `${found.length} of ${count} tags are listed, or in another order`,
  );
}

async function manyReferrers(
  stage: Stage,
  server: RunningServer,
  repository: AttackedRepository,
): Promise<void> {
  const subject = { mediaType: OCI_IMAGE, digest: digestOf("subject"), size: 7 };
  const note = "図".repeat(stage.isShort ? 500 : 5_000);
  const pushed = await inParallel(REFERRERS, 4, (at) => {
    const body = emptyIndex({ subject, annotations: { at: String(at), note } });
    return ask(server, putManifest(repository, digestOf(body), body));
  });
  const taken = pushed.filter(({ status }) => status === 201).length;
  stage.check(taken === REFERRERS, `${taken} of ${REFERRERS} referrers could be pushed`);
  const list = (text: string) => (JSON.parse(text) as { manifests: { digest: string }[] }).manifests;
  const found = await readPages(stage, server, `${repository.base}/referrers/${subject.digest}`, list);
  const different = new Set(found.map(({ digest }) => digest)).size;
  stage.check(different === REFERRERS && found.length === REFERRERS, `${different} referrers are listed`);
}

async function endlessUploads(
  stage: Stage,
  server: RunningServer,
  { base }: AttackedRepository,
): Promise<void> {
  const begin = () => ask(server, { method: "POST", path: `${base}/blobs/uploads/` });
  const name = `${MOST_UPLOADS + 20} uploads that no one ends`;
  const { result, figure } = await stage.measure(server, name, () => inParallel(MOST_UPLOADS + 20, 1, begin));
  const refused = result.filter(({ status }) => status === 429);
  stage.check(refused.length === 20, `${name}: ${refused.length} were refused, not 20`);
  stage.check(
    refused.every(({ headers }) => Number(headers["retry-after"]) > 0),
    `${name}: no one is told when to come back`,
  );
  stage.report(name, `${refused.length} refused`, figure);
}

/** A repository that the client may not read and a missing one: the same answers, and times that reveal nothing. */
async function mountsOfOthers(
  stage: Stage,
  server: RunningServer,
  { name, base }: AttackedRepository,
): Promise<void> {
  const { own, headers } = await makeStranger(server);
  const digest = digestOf("x".repeat(10_000));
  const mount = (from: string) =>
    ask(server, { method: "POST", path: `${own.base}/blobs/uploads/?mount=${digest}&from=${from}`, headers });
  const nothing = name.replace(/\/.*/, "/nothing");
  const times = new Map<string, number[]>([name, nothing, "nobody/nothing"].map((from) => [from, []]));
  const shapes = new Set<string>();
  for (let at = 0; at < (stage.isShort ? 10 : MOUNTS); at += 1)
    for (const [from, taken] of at % 2 === 0 ? times : [...times].toReversed()) {
      // Its owner uses it meanwhile.
      await ask(server, { path: `${base}/tags/list?n=1` });
      const started = performance.now();
      const { status, body, headers: told } = await mount(from);
      taken.push(performance.now() - started);
      shapes.add(`${status} ${body.length} ${Object.keys(told).toSorted().join()}`);
    }
  stage.check(shapes.size === 1, `a mount tells what is there: ${[...shapes].join(" or ")}`);
  const isBegun = [...shapes].every((shape) => shape.startsWith("202 "));
  stage.check(isBegun, `a mount of what one may not read was answered ${[...shapes].join()}`);
  const median = (list: number[]) => list.toSorted((a, b) => a - b)[list.length >> 1]!.toFixed(2);
  const medians = [...times.values()].map(median).join(", ");
  stage.report(
    "mounts of others' repositories, of none, of no one's",
    `the same; ${medians} ms in the median`,
  );
}
