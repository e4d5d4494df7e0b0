/**
 * 1. A failed press keeps a copy that another tab has brought in the meantime, and a download that another tab waits for;
 *    otherwise it leaves nothing.
 * 2. A press waits for a worker that the browser has started, however slow its download is.
 * 3. A worker that the browser has started does not consume the reader's request for the next worker.
 * 4. A failed press does not count as a request for a later worker; its error is stored to be shown.
 * 5. An update that is loading is not shown as failed.
 * 6. A press always ends, even if another press never ends or the disk does not answer. A failure while
 *    it cleans up does not hide the message to the reader.
 */
import { afterEach, expect, test, vi } from "vitest";
import { keepOfflineCopy, readOfflineCopy, removeOfflineCopy } from "./index.ts";
import { CODE_MS, COPY_WAIT_MS, TIDY_MS } from "./limits.ts";
import type { ToWorker } from "./messages.ts";
import { SCOPE } from "./pack-info.ts";
import { awaited, readStoredPack, writeStoredPack } from "./stored-pack.ts";
import { origin } from "./testing/browser.ts";
import { createTestCaches } from "./testing/caches.ts";
import { createTestServer } from "./testing/server.ts";

/** A service worker as a page sees it. */
class TestWorker extends EventTarget {
  state: ServiceWorkerState;
  /** The received messages, each with a function to answer it. */
  told: { type: ToWorker["type"]; answer: (message: unknown) => void }[] = [];

  constructor(state: ServiceWorkerState) {
    super();
    this.state = state;
  }

  become(state: ServiceWorkerState) {
    this.state = state;
    this.dispatchEvent(new Event("statechange"));
  }

  postMessage({ type }: ToWorker, [port]: [MessagePort]) {
    this.told.push({ type, answer: (message) => port.postMessage(message) });
    if (type === "remove") port.postMessage({ type: "done" });
  }
}

/** A page of a browser with one registered worker. */
function openTestPage(active: TestWorker | null) {
  const caches = createTestCaches();
  const registration = {
    scope: origin + SCOPE,
    active,
    installing: null as TestWorker | null,
    update: vi.fn<() => Promise<void>>(async () => {}),
    unregister: vi.fn<() => Promise<boolean>>(async () => true),
  };
  const register = vi.fn<() => Promise<unknown>>(async () => registration);
  const serviceWorker = { register, getRegistrations: async () => [registration] };
  vi.stubGlobal("isSecureContext", true);
  vi.stubGlobal("location", { origin });
  vi.stubGlobal("caches", caches);
  vi.stubGlobal("navigator", { locks: navigator.locks, serviceWorker });
  return { caches, registration, register };
}

afterEach(() => {
  vi.useRealTimers();
  vi.unstubAllGlobals();
});

const { info } = await createTestServer();
const failed = { type: "failed", message: "It failed." };
const done = { type: "done" };
const press = () => keepOfflineCopy(() => {}).catch((error: unknown) => String(error));

test("1. another tab has brought a copy", async () => {
  const worker = new TestWorker("activated");
  const { caches, registration } = openTestPage(worker);
  const pressed = press();
  await vi.waitFor(() => expect(worker.told).toHaveLength(1));
  await writeStoredPack(caches, { info, checkedAt: 1 });
  worker.told[0]?.answer(failed);
  expect(await pressed).toContain("It failed.");
  expect(await readOfflineCopy()).toEqual({ info, checkedAt: 1 });
  expect(registration.unregister).not.toHaveBeenCalled();
});

test("1. another tab waits for a download", async () => {
  const worker = new TestWorker("activated");
  const { registration } = openTestPage(worker);
  const other = press();
  await vi.waitFor(() => expect(worker.told).toHaveLength(1));
  const pressed = press();
  await vi.waitFor(() => expect(worker.told).toHaveLength(2));
  worker.told[1]?.answer(failed);
  expect(await pressed).toContain("It failed.");
  expect(worker.told.map(({ type }) => type)).toEqual(["install", "install"]);
  worker.told[0]?.answer(failed);
  expect(await other).toContain("It failed.");
  expect(worker.told.at(-1)?.type).toBe("remove");
  expect(registration.unregister).toHaveBeenCalledOnce();
});

test("2. a slow download that the browser has started", async () => {
  vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
  const worker = new TestWorker("activated");
  const { caches, registration, register } = openTestPage(worker);
  await writeStoredPack(caches, { info, checkedAt: 1 });
  const installing = (registration.installing = new TestWorker("installing"));
  // Like browsers: one step after the other.
  register.mockImplementation(async () => {
    await vi.waitFor(() => expect(installing.state).not.toBe("installing"), { timeout: 10 * CODE_MS });
    return registration;
  });
  const pressed = press();
  await vi.advanceTimersByTimeAsync(2 * CODE_MS);
  registration.installing = null;
  registration.active = installing;
  installing.become("activated");
  await vi.waitFor(() => expect(installing.told).toHaveLength(1));
  installing.told[0]?.answer(done);
  expect(await pressed).toBeUndefined();
});

test("3. a worker that the browser has started, and that fails", async () => {
  const worker = new TestWorker("activated");
  const { caches, registration, register } = openTestPage(worker);
  await writeStoredPack(caches, { info, checkedAt: 1 });
  const installing = new TestWorker("installing");
  register.mockImplementation(async () => {
    registration.installing = installing;
    return registration;
  });
  let wanted: unknown;
  registration.update.mockImplementation(async () => {
    wanted = (await readStoredPack(caches))?.isWanted;
  });
  const pressed = press();
  await vi.waitFor(() => expect(registration.installing).toBe(installing));
  // Lets everything be written before the wait.
  await navigator.locks.request("millrace-offline-state", () => {});
  await writeStoredPack(caches, { info, checkedAt: 2, problem: "It broke off." });
  registration.installing = null;
  installing.become("redundant");
  await vi.waitFor(() => expect(worker.told).toHaveLength(1));
  expect(wanted).toBe(true);
  worker.told[0]?.answer(done);
  expect(await pressed).toBeUndefined();
});

test("4. a press that fails", async () => {
  const { caches, registration } = openTestPage(new TestWorker("activated"));
  await writeStoredPack(caches, { info, checkedAt: 1 });
  registration.update.mockRejectedValue(new TypeError("Failed to fetch"));
  expect(await press()).toContain("could not be reached");
  const problem = expect.stringContaining("could not be reached") as string;
  expect(await readStoredPack(caches)).toEqual({ info, checkedAt: 1, problem });
});

test("4. what the worker has written stays", async () => {
  const { caches, registration } = openTestPage(new TestWorker("activated"));
  await writeStoredPack(caches, { info, checkedAt: 1 });
  registration.update.mockImplementation(async () => {
    await writeStoredPack(caches, { info, checkedAt: 5, problem: "It broke off." });
    throw new TypeError("Failed to fetch");
  });
  await press();
  expect(await readStoredPack(caches)).toEqual({ info, checkedAt: 5, problem: "It broke off." });
});

test("4. another tab still waits for its newer copy", async () => {
  const { caches, registration } = openTestPage(new TestWorker("activated"));
  await writeStoredPack(caches, { info, checkedAt: 1 });
  registration.update.mockRejectedValue(new TypeError("Failed to fetch"));
  const { promise: isOver, resolve: end } = Promise.withResolvers<void>();
  const other = awaited(() => isOver, new AbortController().signal);
  await press();
  expect(await readStoredPack(caches)).toEqual({ info, checkedAt: 1, isWanted: true });
  end();
  await other;
});

test("5. an update that is loading", async () => {
  const { caches, registration } = openTestPage(new TestWorker("activated"));
  await writeStoredPack(caches, { info, checkedAt: 1, problem: "It broke off." });
  registration.installing = new TestWorker("installing");
  expect(await readOfflineCopy()).toEqual({ info, checkedAt: 1 });
  registration.installing = null;
  expect(await readOfflineCopy()).toMatchObject({ problem: "It broke off." });
});

const fakeTimers = () => vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });

/** Takes a lock until `free` is called. */
async function hold(name: string) {
  const { promise: isFree, resolve: free } = Promise.withResolvers<void>();
  const { promise: isHeld, resolve: held } = Promise.withResolvers<void>();
  const ended = navigator.locks.request(name, () => (held(), isFree));
  await isHeld;
  return async () => {
    free();
    await ended;
  };
}

test("6. a press that does not get its turn", async () => {
  fakeTimers();
  const worker = new TestWorker("activated");
  openTestPage(worker);
  const free = await hold("millrace-offline-wait");
  const pressed = press();
  await vi.waitFor(async () => expect((await navigator.locks.query()).pending).toHaveLength(1));
  await vi.advanceTimersByTimeAsync(CODE_MS);
  expect(await pressed).toContain("took too long");
  expect(worker.told).toEqual([]);
  await free();
  const onProgress = vi.fn<(share: number) => void>();
  const again = keepOfflineCopy(onProgress);
  await vi.waitFor(() => expect(worker.told).toHaveLength(1));
  worker.told[0]?.answer({ type: "progress", done: 0, total: 1 });
  await vi.waitFor(() => expect(onProgress).toHaveBeenCalled());
  // A press that has begun gets more time.
  await vi.advanceTimersByTimeAsync(CODE_MS);
  worker.told[0]?.answer(done);
  expect(await again).toBeUndefined();
});

test("6. tidying up that does not get its turn", async () => {
  fakeTimers();
  const worker = new TestWorker("activated");
  const { registration } = openTestPage(worker);
  const pressed = press();
  await vi.waitFor(() => expect(worker.told).toHaveLength(1));
  registration.unregister.mockReturnValue(new Promise(() => {}));
  const free = await hold("millrace-offline-state");
  worker.told[0]?.answer(failed);
  await vi.waitFor(() => expect(worker.told.at(-1)?.type).toBe("remove"));
  await vi.advanceTimersByTimeAsync(TIDY_MS);
  expect(await pressed).toContain("It failed.");
  expect(await navigator.locks.request("millrace-offline-wait", { ifAvailable: true }, Boolean)).toBe(true);
  await free();
  // Another tab may have its turn by now, and its copy needs the worker.
  await vi.advanceTimersByTimeAsync(CODE_MS);
  expect(registration.unregister).not.toHaveBeenCalled();
});

test("6. a removal that does not get its turn", async () => {
  fakeTimers();
  openTestPage(new TestWorker("activated"));
  const free = await hold("millrace-offline-state");
  const pressed = removeOfflineCopy().catch(String);
  await vi.waitFor(async () => expect((await navigator.locks.query()).pending).toHaveLength(1));
  await vi.advanceTimersByTimeAsync(CODE_MS);
  expect(await pressed).toContain("took too long");
  await free();
});

test("6. a disk that fails or answers nothing", async () => {
  fakeTimers();
  const { caches } = openTestPage(new TestWorker("activated"));
  caches.match = () => new Promise(() => {});
  const pressed = press();
  await vi.advanceTimersByTimeAsync(COPY_WAIT_MS);
  expect(await pressed).toContain("could not check whether it has a copy");
  caches.match = () => Promise.reject(new DOMException("Internal error", "UnknownError"));
  expect(await press()).toContain("could not check whether it has a copy");
});

test("6. a disk that fails while the press tidies up", async () => {
  const worker = new TestWorker("activated");
  const { caches } = openTestPage(worker);
  const pressed = press();
  await vi.waitFor(() => expect(worker.told).toHaveLength(1));
  caches.match = () => Promise.reject(new DOMException("Internal error", "UnknownError"));
  worker.told[0]?.answer(failed);
  expect(await pressed).toContain("It failed.");
});
