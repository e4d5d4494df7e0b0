/** The application's pages with answers that the test chooses; src/accounts/README.md describes them. */
import type { Page, Request, Route } from "@playwright/test";
import { expectAccessible } from "./axe.ts";
import { expect, test as base } from "./fixtures.ts";
import { overflowOf } from "./overflow.ts";

export { expect };

export const ada = {
  id: "usr_ada0000000",
  name: "Ada Okafor",
  mail: "ada@acme.example",
  organizations: [
    { id: "org_9f2kd71xqe", name: "acme", role: "owner" },
    { id: "org_4t8bz0mw2s", name: "acme-labs", role: "member" },
  ],
  is_operator: true,
};

const everyMethod = { passkey: true, oidc: "Google", github: true, mail: true };
export const noMethod = { passkey: false, oidc: null, github: false, mail: false };

export const stateWith = (parts: object = {}) => ({
  version: "1.4.0",
  host: "build.acme.example",
  methods: everyMethod,
  user: null,
  ...parts,
});

/** From now, in seconds. */
export const time = (seconds: number) => new Date(Date.now() + seconds * 1000).toISOString();

export const sentMail = () => ({
  sent_at: time(0),
  expires_at: time(900),
  resend_after_seconds: 60,
  sent_by: "smtp.acme.example",
});

export const login = (parts: object = {}) => ({
  user_code: "WDJB-MJHT",
  client_name: "millrace 1.4.0",
  machine: "ada-mbp",
  system: "macOS 26.1",
  address: "10.0.4.17",
  your_address: "10.0.4.17",
  created_at: time(-12),
  expires_at: time(888),
  ...parts,
});

/** Names with which people or machines may attack. */
export const HOSTILE = {
  markup: `<img src=x onerror="document.title='pwned'"><b>Bold</b>`,
  rtl: "\u202Eevil\u202C مهندس",
  long: "W".repeat(200),
};

export interface Refused {
  status: number;
  code: string;
  message: string;
  field?: string;
}

type Answer = object | ((request: Request) => object);

/** `GET /auth/state` → its answer; other calls are refused as unknown. */
export type Answers = { [call: string]: Answer };

const isRefused = (answer: object): answer is Refused => "status" in answer && "code" in answer;

/** The message of a tab to the browser's other tabs after a sign-in. */
export const tellSignedIn = (page: Page) =>
  // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a channel has only its own origin
  page.evaluate(() => new BroadcastChannel("millrace-session").postMessage("in"));

export class AppPage {
  readonly page: Page;
  /** Requests: `POST /auth/mail` and its body. */
  readonly sent: { call: string; body: unknown }[] = [];
  answers: Answers = {};

  constructor(page: Page) {
    this.page = page;
  }

  /** Opens a page of the application; calls to accounts are answered from the table. */
  async open(path: string, answers: Answers = {}) {
    this.answers = { "GET /auth/state": stateWith(), ...answers };
    await this.page.route(/\/(?:auth|oauth)\/|\/openapi\.json|\/api\/millrace/, (route) =>
      this.answer(route),
    );
    await this.page.goto(path);
  }

  private async answer(route: Route) {
    const request = route.request();
    const { pathname } = new URL(request.url());
    const call = `${request.method()} ${pathname}`;
    if (request.method() === "POST") this.sent.push({ call, body: request.postDataJSON() });
    const entry = this.answers[call];
    const answer = typeof entry === "function" ? (entry as (request: Request) => object)(request) : entry;
    if (answer === undefined)
      return route.fulfill({ status: 404, json: { code: "not_found", message: `No answer to ${call}.` } });
    if (isRefused(answer)) {
      const { status, ...body } = answer;
      return route.fulfill({ status, json: body });
    }
    return route.fulfill({ json: answer });
  }

  heading(name: string | RegExp) {
    return this.page.getByRole("heading", { name, level: 1 });
  }

  button(name: string | RegExp) {
    return this.page.getByRole("button", { name });
  }

  /** Pixels by which the page is wider than the screen. */
  overflow() {
    return overflowOf(this.page);
  }

  expectAccessible(options: { withColours?: boolean } = {}) {
    return expectAccessible(this.page, options);
  }
}

export const test = base.extend<{ app: AppPage }>({
  app: async ({ page }, use) => use(new AppPage(page)),
});
