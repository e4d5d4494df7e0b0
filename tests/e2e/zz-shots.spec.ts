import { ada, HOSTILE, login, noMethod, sentMail, stateWith, test, time } from "./app.ts";
const W: [string, number, number][] = [["1440", 1440, 900], ["390", 390, 844], ["320", 320, 700]];
test.use({ baseURL: "http://localhost:4341", expectedErrors: /./ });
for (const [name, width, height] of W)
  for (const theme of ["light", "dark"] as const)
  test(`shots ${name} ${theme}`, async ({ app, page }) => {
    test.setTimeout(120000);
    await page.setViewportSize({ width, height });
    await page.emulateMedia({ colorScheme: theme });
    const shot = async (n: string) => { await page.waitForTimeout(400); const o = await app.overflow(); if (o > 0) console.log("OVERFLOW", n, name, o); await page.screenshot({ path: `/tmp/e-shots/${n}-${name}-${theme}.png`, fullPage: width < 1000 }); };
    const user = stateWith({ user: ada });
    await app.open("/app/start/4F7Q-2MXR-9KTD", { "GET /auth/start/4F7Q-2MXR-9KTD": { state: "first" } }); await shot("first");
    await app.open("/app/start/K", { "GET /auth/start/K": { state: "ready", name: HOSTILE.long, organization: "acme" } }); await shot("ready");
    await app.open("/app/start/K", { "GET /auth/start/K": { state: "used", used_at: time(-300), used_from: "10.0.4.31" } }); await shot("used");
    await app.open("/app/sign-in", { "POST /auth/mail": sentMail() }); await shot("signin");
    await page.getByLabel("Mail").fill("mei@acme.example"); await app.button("Send me a link").click(); await shot("sent");
    await app.open("/app/sign-in?error=not-a-member&mail=sam@acme.example", {}); await shot("unknown");
    await app.open("/app/sign-in", { "GET /auth/state": stateWith({ methods: noMethod }) }); await shot("noway");
    await app.open("/app/device?code=WDJB-MJHT", { "GET /auth/state": user, "GET /oauth/device": login(), "POST /oauth/device/approve": {} }); await shot("device");
    await app.button("Log in this machine").click(); await shot("devicedone");
    await app.open("/app/device", { "GET /auth/state": user }); await shot("devicecode");
    await app.open("/app/device?code=WDJB-MJHT", { "GET /auth/state": user, "GET /oauth/device": login({ machine: HOSTILE.long, client_name: HOSTILE.markup, system: HOSTILE.rtl, address: "2001:db8::1" }) }); await shot("devicehostile");
    await app.open("/app/join/K", { "GET /auth/invitation/K": { organization: "acme", role: "member", invited_by: "Ada Okafor", mail: "mei@acme.example", expires_at: time(86400 * 3) } }); await shot("join");
    await app.open("/app", { "GET /auth/state": user }); await shot("home");
    await app.open("/app/mail/K", {}); await shot("mail");
  });
