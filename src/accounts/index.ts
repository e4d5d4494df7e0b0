/** The room's only entry point. */
export type { Accounts } from "./contract/accounts.ts";
export { createAccounts } from "./create-accounts.ts";
export { addUsage } from "./identity/add-usage.ts";
export { type Actor, holderOf, isOperator } from "./contract/actor.ts";
export { type Action, authorize } from "./contract/authorize.ts";
export { type AuditEvent, listAuditEvents } from "./organizations/audit-events.ts";
export {
  type Callers,
  type Recognized,
  type IsGone,
  createCallers,
  TooManyRequestsError,
} from "./identity/callers.ts";
export type { Caller } from "./changes/change-records.ts";
export { askDatabase } from "./contract/database-away.ts";
export { addRoomEvents, type EventAuthor, type RoomEvent } from "./events/add-room-events.ts";
export { createEventRoutes } from "./stream/event-routes.ts";
export { newId, quoteReference } from "./contract/ids.ts";
export { REFUSED_RATE } from "./contract/limits.ts";
export { reportRefusal } from "./identity/report-refusal.ts";
export { ensureFirstOrganization, setOwnerToken } from "./people/first-owner.ts";
export { type Credentials, credentialsOf, identify } from "./identity/identify.ts";
export {
  createInvitation,
  type Invitation,
  listInvitations,
  revokeInvitation,
} from "./organizations/invitations.ts";
export { listMembers, type Member, removeMember, updateMember } from "./organizations/members.ts";
export { accountMigrations } from "./migrations/migrations.ts";
export {
  createOrganization,
  deleteOrganization,
  getOrganization,
  listOrganizations,
  type Organization,
  updateOrganization,
} from "./organizations/organizations.ts";
export { readImmutableTags } from "./projects/immutable-tags.ts";
export { noteChange } from "./changes/note-change.ts";
export { type Page, type PageInput, type PageRequest, readPage, toPage } from "./contract/page.ts";
export { deletePasskey, listPasskeys, updateUser, whoAmI } from "./people/people.ts";
export { createProject, deleteProject, getProject, listProjects, type Project } from "./projects/projects.ts";
export { Refused, type RefusalCode } from "./contract/refused.ts";
export type { AccountTables } from "./records/schema.ts";
export { endSignIn, listSignIns } from "./people/sign-ins.ts";
export { noteSpoiledCache } from "./projects/spoiled-cache.ts";
export { restoreToken, revokeToken } from "./tokens/revoke-token.ts";
export { turnOffMembersTwoStep, turnOffTwoStepOf } from "./organizations/turn-off-two-step.ts";
export { CONFIRM_HEADER, ConfirmationNeeded, requireConfirmed } from "./two-step/require-confirmed.ts";
export { completeToken } from "./contract/token-text.ts";
export { createToken, listTokens, type Token } from "./tokens/tokens.ts";
export { updateProject } from "./projects/update-project.ts";
export { countApiCalls, getUsage, type UsageDay } from "./organizations/usage.ts";
export { checkTrust, type TrustCheck } from "./projects/check-trust.ts";
export { exchangeOidcToken } from "./trust/exchange.ts";
export { type Exchange, listExchanges } from "./projects/list-exchanges.ts";
export { createAccountRoutes } from "./routes.ts";
export { accountMounts, accountRoom, openMailer, openServerAccounts } from "./open-accounts.ts";
export { parseSecretKey } from "./variables.ts";
export { mailsSent } from "./changes/tell-by-mail.ts";
export { makeOwnerLink } from "./sign-in/mail/owner-link.ts";
export { hasPasskeys } from "./contract/has-passkeys.ts";
