import { Hono } from "hono";
import * as z from "zod";
import { changeRecords } from "../../changes/change-records.ts";
import { deleteCookie } from "../browser/cookies.ts";
import { type RequestGuard, readBody } from "../request-guard.ts";
import { enter, readBrowser, sendEntered } from "../enter.ts";
import { type HalfSignIn, requireHalf, useHalf } from "../browser/half-sign-in.ts";
import { askForProof, proofFields, type ProofSubject, prove } from "../prove.ts";
import { safeNext } from "../safe-next.ts";

const stepSchema = z.strictObject({ ...proofFields, next: z.string().optional() });

/** `/auth/second-step…`: for a person who has done the first of two steps. */
export function createSecondStepRoutes(guard: RequestGuard): Hono {
  const { accounts } = guard;
  const app = new Hono();

  app.post("/auth/second-step/options", async (context) => {
    await readBody(guard, context, z.strictObject({}));
    const half = await requireHalf(context, accounts);
    return context.json({ name: half.name, ...(await askForProof(guard, proofSubjectOf(half))) });
  });

  app.post("/auth/second-step", async (context) => {
    const { next, ...proof } = await readBody(guard, context, stepSchema);
    const half = await requireHalf(context, accounts);
    const second = await prove(guard, context, { subject: proofSubjectOf(half), proof });
    await useHalf(accounts, half);
    const from = readBrowser(guard, context);
    const { userId, name, method } = half;
    const author = { name, id: userId, address: from.address };
    const entered = await changeRecords(accounts, author, (change) =>
      enter(accounts, change, { entry: { userId, name, method, isVerified: true, second }, from }),
    );
    deleteCookie(context, accounts, "second");
    return context.json({ next: sendEntered(context, accounts, entered, safeNext(next)) });
  });
  return app;
}

const proofSubjectOf = ({ id, userId, name }: HalfSignIn & { name: string }): ProofSubject => ({
  userId,
  name,
  purpose: "sign-in",
  bound: id,
});
