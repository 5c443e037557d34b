/** Authentication, and permissions of credentials. */
import type { Guard } from './guard.ts'

const sweep = 'server/test/every-route.test.ts'
const access = 'server/src/platform/access/access.test.ts'
const checks = 'server/src/platform/access/credential-checks.test.ts'
const dpa = 'server/src/features/account/apps/dpa.test.ts'
const authorize = 'server/src/platform/http/authorize.ts'

export const accessGuards: readonly Guard[] = [
  {
    name: 'input: a write without fields ignores what is sent',
    file: 'server/src/platform/http/input.ts',
    snippet: "entry.method === 'GET' || (entry.body === null && entry.rawBody !== undefined)",
    replacement: 'entry.body === null',
    test: {
      file: 'server/src/features/sources/campaigns/campaigns.test.ts',
      title: 'is not changed by a request whose body the route does not read',
    },
  },
  {
    name: 'access: a direct answer needs a credential like any other',
    file: 'server/src/platform/http/direct.ts',
    snippet: 'const admission = route.admit(request, reply)',
    replacement: 'const admission = undefined as Promise<void> | undefined',
    test: {
      file: 'server/src/platform/http/direct.test.ts',
      title: 'only plain requests bypass the framework',
    },
  },
  {
    name: "hand-offs: an app cannot read another app's link",
    file: 'server/src/features/sources/handoffs/operations.ts',
    snippet:
      "if (caller.kind === 'key' && caller.appId !== null && caller.appId !== row.minted_app_id) return false",
    replacement: '',
    test: {
      file: 'server/src/features/sources/handoffs/handoffs.test.ts',
      title: 'cannot be read by another app, because its link grants access',
    },
  },
  {
    name: 'views: a viewer cannot share views',
    file: 'server/src/features/insights/saved-views/operations.ts',
    snippet: 'if (view.shared) requireSharing(context)',
    replacement: '',
    test: {
      file: 'server/src/features/insights/saved-views/saved-views.test.ts',
      title: 'a viewer can save but not share views; owners and admins can delete shared ones',
    },
  },
  {
    name: 'healthcare: person-level routes refuse a partner before its scopes are checked',
    file: authorize,
    snippet: 'if (isPartnerRestricted && isRefusedOnHealthcare(entry)) throw healthcareScopeForbidden()',
    replacement: '',
    test: {
      file: 'server/test/healthcare-routes.test.ts',
      title: 'refuses person-level reads of partners by that name',
    },
  },
  {
    name: 'healthcare: refusals to a partner name no scope that it can never get',
    file: authorize,
    snippet: 'isPartnerRestricted ? anyOf.filter((scope) => !personScopes.includes(scope)) : anyOf',
    replacement: 'anyOf',
    test: {
      file: 'server/test/healthcare-routes.test.ts',
      title: 'refuses person-level reads of partners by that name',
    },
  },
  {
    name: 'agreement: without it person-level scopes have no effect on provisioned profiles',
    file: 'server/src/platform/access/dpa.ts',
    snippet: 'p.provisioned_by_app_id = a.id and not a.dpa_accepted, false',
    replacement: 'false, false',
    test: {
      file: dpa,
      title:
        'person-level scopes have no effect until the agreement is accepted, and none once it is withdrawn',
    },
  },
  {
    name: 'agreement: a withdrawal removes the access that the acceptance gave',
    file: 'server/src/features/account/apps/queries.ts',
    snippet: '  await setDpaAccepted(tx, params, false)\n',
    replacement: '',
    test: {
      file: dpa,
      title:
        'person-level scopes have no effect until the agreement is accepted, and none once it is withdrawn',
    },
  },
  {
    name: 'agreement: without it webhooks contain no contact',
    file: 'server/src/features/outgoing/webhooks/receivers.ts',
    snippet: "'scopes', case when ${lacksDpa}",
    replacement: "'scopes', case when false",
    test: { file: dpa, title: 'without the agreement, webhooks and the replay omit the contact' },
  },
  {
    name: 'agreement: without it an app receives no patients',
    file: 'server/src/features/outgoing/webhooks/receivers.ts',
    snippet: ' and not ${lacksDpa}),',
    replacement: '),',
    test: {
      file: dpa,
      title: 'on a healthcare profile the app receives no person and decides nothing without the agreement',
    },
  },
  {
    name: 'rotation: a new master key seals only once every process has it',
    file: 'server/src/platform/secrets/rotation.ts',
    snippet: 'return live.every(({ keyIds }) => keyIds.includes(candidate)) ? candidate : inUse',
    replacement: 'return candidate',
    test: {
      file: 'server/src/platform/secrets/rotation.test.ts',
      title: 'a key that was used at the new process is accepted at the old one',
    },
  },
  {
    name: 'rotation: a process that lacks the key in use does not answer 401',
    file: 'server/src/platform/access/authenticate.ts',
    snippet: 'if (service.keyring.missingKeyId !== null)',
    replacement: 'if (false)',
    test: {
      file: 'server/src/platform/secrets/rotation.test.ts',
      title: 'a running process that lacks the current key logs it and rejects no credential',
    },
  },
  {
    name: 'auth: a membership given to an address counts once the address is verified',
    file: 'server/src/platform/access/queries.ts',
    snippet: ' and u.email_verified_at is not null',
    replacement: '',
    test: {
      file: 'server/src/platform/access/recovery.test.ts',
      title: 'signing up first with an address gives no access that an app granted to that address',
    },
  },
  {
    name: 'auth: a mailed link changes only its own account',
    file: 'server/src/platform/access/links.ts',
    snippet: "query.where('user_id', '=', params.userId!)",
    replacement: 'query',
    test: {
      file: 'server/src/platform/access/recovery.test.ts',
      title: 'the link mailed to a new address changes only the requesting account',
    },
  },
  {
    name: 'people: each person shown by a response is logged',
    file: 'server/src/platform/http/answer.ts',
    snippet: '  await logPersonAccess(context as ProfileContext, entry.name, [...shown])\n',
    replacement: '',
    test: {
      file: 'server/test/people-shown.test.ts',
      title: 'payments, payer and refunds log each person shown',
    },
  },
  {
    name: 'auth: a revoked credential is refused',
    file: 'server/src/platform/access/queries.ts',
    snippet: 'and (c.revoked_at is null or c.revoked_at > ${params.now})',
    replacement: '',
    test: {
      file: 'server/src/features/account/api-keys/api-keys.test.ts',
      title: 'a revoked key is refused immediately, and revoking it again returns the same time',
    },
  },
  {
    name: 'auth: an expired credential is refused',
    file: 'server/src/platform/access/queries.ts',
    snippet: 'and (c.expires_at is null or c.expires_at > ${params.now})',
    replacement: '',
    test: { file: access, title: 'a session ends after twelve idle hours and after thirty days at most' },
  },
  {
    name: 'auth: a withdrawn authorization ends its keys',
    file: 'server/src/platform/access/queries.ts',
    snippet: ' and au.revoked_at is null`',
    replacement: '`',
    test: {
      file: checks,
      title: 'a key whose authorization was withdrawn is refused, even if the key itself is active',
    },
  },
  {
    name: 'auth: an idle session ends',
    file: 'server/src/platform/access/authenticate.ts',
    snippet: 'if (now.getTime() - lastUsed.getTime() > SESSION_IDLE_MS) return undefined',
    replacement: '',
    test: { file: access, title: 'a session ends after twelve idle hours and after thirty days at most' },
  },
  {
    name: 'auth: an app authenticates by its own client id',
    file: 'server/src/platform/access/authenticate.ts',
    snippet: 'if (!sameText(row.client_id, clientId)) return undefined',
    replacement: '',
    test: {
      file: checks,
      title: 'an app secret works only with its own client id',
    },
  },
  {
    name: 'auth: a token with a wrong checksum is refused without a query',
    file: 'server/src/platform/secrets/tokens.ts',
    snippet: 'return checksum(token.slice(0, -CHECKSUM)) === match[4] ?',
    replacement: 'return true ?',
    test: {
      file: 'server/src/platform/secrets/secrets.test.ts',
      title: 'is rejected after any one character changed',
    },
  },
  {
    name: 'auth: the wrong password is refused',
    file: 'server/src/platform/access/accounts.ts',
    snippet: 'if (row === undefined || !matches)',
    replacement: 'if (row === undefined)',
    test: {
      file: 'server/src/features/account/oauth/oauth.test.ts',
      title: 'consent cannot be forged: another site, a wrong password and a forged form get nothing',
    },
  },
  {
    name: 'auth: session routes accept no token',
    file: authorize,
    snippet: "return caller.kind === 'user' && (caller.via === 'session' || entry.access.tokens !== false)",
    replacement: "return caller.kind === 'user'",
    test: { file: sweep, title: 'a credential that is none, or of the wrong kind, is 401 everywhere' },
  },
  {
    name: 'auth: app routes accept no person',
    file: authorize,
    snippet: "return caller.kind === 'app'\n    case 'user_or_app'",
    replacement: "return true\n    case 'user_or_app'",
    test: { file: sweep, title: 'a credential that is none, or of the wrong kind, is 401 everywhere' },
  },
  {
    name: 'scopes: a key without the scope is refused',
    file: authorize,
    snippet: 'if (missing.length === 0 && alternatives.length === 0) return\n',
    replacement: 'return\n',
    test: { file: sweep, title: 'a key without the scope is 403, and names it' },
  },
  {
    name: "scopes: a token has at most its person's permissions",
    file: authorize,
    snippet: 'ofToken.filter((scope) => ofRole.includes(scope))',
    replacement: 'ofToken',
    test: { file: access, title: 'a token never has more permissions than its owner' },
  },
  {
    name: 'scopes: a read-only token writes nothing in a workspace',
    file: authorize,
    snippet: "if (!isOpen) requireTokenScopes(caller, ['workspaces:write'])\n",
    replacement: '',
    test: { file: sweep, title: 'a read-only user token and a viewer change nothing in a workspace' },
  },
  {
    name: 'scopes: a viewer changes nothing in a workspace',
    file: authorize,
    snippet: 'if (!roleAtLeast(role, needed))',
    replacement: 'if (false)',
    test: { file: sweep, title: 'a read-only user token and a viewer change nothing in a workspace' },
  },
  {
    name: 'scopes: a feature that the app has not enabled is closed',
    file: 'server/src/platform/access/entitlement.ts',
    snippet:
      'return profile.provisionedByAppId === null || findEntitlement(db, { profileId: profile.id, feature })',
    replacement: 'return true',
    test: {
      file: access,
      title: 'a profile provisioned by an app accepts events only after the app enabled attribution',
    },
  },
  {
    name: 'scopes: only an owner can appoint an owner',
    file: 'server/src/features/account/members/rules.ts',
    snippet: "|| (current !== 'owner' && next !== 'owner')",
    replacement: '|| true',
    test: {
      file: 'server/src/features/account/members/members.test.ts',
      title: 'a person can change members but not add people, and cannot remove the last owner',
    },
  },
  {
    name: 'scopes: the last owner cannot be removed',
    file: 'server/src/features/account/members/operations.ts',
    snippet: "if (current === 'owner' && next !== 'owner' && (await countOwners(tx, context)) === 1)",
    replacement: 'if (false)',
    test: {
      file: 'server/src/features/account/members/members.test.ts',
      title: 'a person can change members but not add people, and cannot remove the last owner',
    },
  },
  {
    name: 'auth: a membership by email counts once the address is verified',
    file: 'server/src/platform/access/queries.ts',
    snippet: 'exists (\n  select 1 from users u where u.id = m.user_id and u.email_verified_at is not null)',
    replacement: 'true',
    test: {
      file: 'server/src/platform/access/recovery.test.ts',
      title: 'an app adds a person with an unverified account; the membership takes effect on verification',
    },
  },
  {
    name: 'auth: an invitation admits only its recipient',
    file: 'server/src/features/account/members/invitations.ts',
    snippet: 'if (normaliseEmail(user.email) !== invitation.email_lower)',
    replacement: 'if (false)',
    test: {
      file: 'server/src/features/account/members/members.test.ts',
      title: 'an invitation reaches the person by mail only, and makes them a member once',
    },
  },
  {
    name: 'scopes: a read-only token changes no profile',
    file: 'server/src/features/account/profiles/contract.ts',
    snippet: "  access: { kind: 'user', scopes: ['workspaces:write'] },\n",
    replacement: "  access: { kind: 'user' },\n",
    test: { file: sweep, title: 'a user token and a key that may only read write nothing' },
  },
  {
    name: 'scopes: a read-only token changes nothing of its person',
    file: authorize,
    snippet: "  requireTokenScopes(caller, ['mcp:write'])\n",
    replacement: '',
    test: { file: sweep, title: 'a user token and a key that may only read write nothing' },
  },
  {
    name: "billing: only the store platform's signature creates a workspace from its market",
    file: 'server/src/features/account/workspaces/store-install.ts',
    snippet: 'app !== undefined && isFresh && verifyCallback(app, query)',
    replacement: 'app !== undefined',
    test: {
      file: 'server/src/features/account/billing/store-plans.test.ts',
      title: 'an install that is %s creates no workspace',
    },
  },
  {
    name: 'access: a store’s signature creates one workspace',
    file: 'server/src/features/account/workspaces/operations.ts',
    snippet: 'if (!isNew) throw',
    replacement: 'if (false) throw',
    test: {
      file: 'server/src/features/account/billing/store-plans.test.ts',
      title: 'an install creates only one workspace, even if another person repeats it',
    },
  },
]
