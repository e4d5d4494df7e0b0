/** The room's only door. */
export { createAccounts, type Accounts, type AccountsOptions, type Mail } from "./accounts.ts";
export { type Actor, currentMembership, isOperator, type Membership, organizationNameOf } from "./actor.ts";
export { type Action, authorize, type Resource, RULES } from "./authorize.ts";
export { type AuditEvent, listAuditEvents } from "./audit-events.ts";
export type { Caller } from "./change-records.ts";
export { ensureFirstOrganization, type FirstOrganization, setOwnerToken } from "./first-owner.ts";
export { cookieNameOf, type Credentials, credentialsOf, identify } from "./identify.ts";
export { createInvitation, type Invitation, listInvitations, revokeInvitation } from "./invitations.ts";
export { listMembers, type Member, removeMember, updateMember } from "./members.ts";
export { accountMigrations } from "./migrations.ts";
export {
  createOrganization,
  deleteOrganization,
  getOrganization,
  listOrganizations,
  type Organization,
  updateOrganization,
} from "./organizations.ts";
export type { Page, PageInput } from "./page.ts";
export {
  deletePasskey,
  listPasskeys,
  type Passkey,
  updateUser,
  type User,
  type WhoAmI,
  whoAmI,
} from "./people.ts";
export {
  createProject,
  deleteProject,
  findProject,
  getProject,
  listProjects,
  type Project,
  type ProjectSettings,
  type ProjectUpdate,
  updateProject,
} from "./projects.ts";
export { Refused, type RefusalCode } from "./refused.ts";
export type { AccountTables, CacheRight, Role, TokenType } from "./schema.ts";
export { endSignIn, listSignIns, type SignIn } from "./sign-ins.ts";
export { startAccountJobs } from "./sweep.ts";
export { createToken, listTokens, type NewToken, revokeToken, type Token } from "./tokens.ts";
export type { TrustRelationship, TrustRelationshipInput } from "./trust-relationships.ts";
export { countApiCalls, getUsage, type Usage } from "./usage.ts";
export { createAccountRoutes } from "./routes.ts";
export { createMailer, type Mailer } from "./sign-in/mailer.ts";
export { makeOwnerLink } from "./sign-in/owner-link.ts";
export { countExchanges, exchangeOidcToken } from "./trust/exchange.ts";
