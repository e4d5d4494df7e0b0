/** The used part of a service worker's global scope: the project is compiled with the types of pages. */
interface ExtendableEvent {
  waitUntil: (work: Promise<unknown>) => void;
}

interface FetchEvent extends ExtendableEvent {
  request: Request;
  respondWith: (answer: Promise<Response>) => void;
}

interface MessageEventOfPage extends ExtendableEvent {
  data: unknown;
  ports: readonly MessagePort[];
}

interface WorkerScope {
  addEventListener(type: "install" | "activate", listener: (event: ExtendableEvent) => void): void;
  addEventListener(type: "fetch", listener: (event: FetchEvent) => void): void;
  addEventListener(type: "message", listener: (event: MessageEventOfPage) => void): void;
  registration: ServiceWorkerRegistration;
  skipWaiting: () => Promise<void>;
  clients: { claim: () => Promise<void> };
}

/** The worker's own global object, which a page's `self` is not. */
export const workerScope = self as unknown as WorkerScope;
