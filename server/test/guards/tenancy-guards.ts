/** Another tenant's data is treated like unknown data. */
import type { Guard } from './guard.ts'

const sweep = 'server/test/every-route.test.ts'
const foreignId = 'an id of another tenant answers exactly like an unknown one'
const authorize = 'server/src/platform/http/authorize.ts'

export const tenancyGuards: readonly Guard[] = [
  {
    name: 'limits: creations per tenant are limited',
    file: 'server/src/platform/contract/tenant-limits.ts',
    snippet: 'if (count < most) return',
    replacement: 'if (count < 1e9) return',
    test: { file: 'server/test/tenant-limits.test.ts', title: 'are limited per tenant' },
  },
  {
    name: 'limits: concurrent creations are serialised',
    file: 'server/src/platform/access/tenant-limits.ts',
    snippet: 'select pg_advisory_xact_lock(',
    replacement: 'select abs(',
    test: {
      file: 'server/test/tenant-limits.test.ts',
      title: 'are limited per tenant, also for concurrent calls',
    },
  },
  {
    name: 'tenancy: a person can access only profiles that they are a member of',
    file: authorize,
    snippet: 'if (member === undefined) return undefined\n  await requireSignInPolicy',
    replacement:
      "if (member === undefined) return { scopes: scopesOfMember({ role: 'editor', permissions: [] }), role: 'editor' as const, ofRole: scopesOfMember({ role: 'editor', permissions: [] }) }\n  await requireSignInPolicy",
    test: { file: sweep, title: 'a person names the profile, and only one they reach' },
  },
  {
    name: 'tenancy: a person can access only workspaces that they are a member of',
    file: 'server/src/platform/access/queries.ts',
    snippet: "    .where('m.user_id', '=', params.userId)\n    .where('w.archived_at', 'is', null)\n",
    replacement: "    .where('w.archived_at', 'is', null)\n",
    test: { file: sweep, title: 'a stranger sees no difference between a workspace of others and none' },
  },
  {
    name: 'tenancy: a membership of one profile gives no access to another',
    file: 'server/src/platform/access/queries.ts',
    snippet: "    .where('m.profile_id', '=', params.profileId)\n",
    replacement: '',
    test: {
      file: 'server/src/features/account/members/members.test.ts',
      title: 'a membership applies to its profile only, and can be changed through its workspace only',
    },
  },
  {
    name: 'tenancy: an app can access only workspaces that it provisioned',
    file: 'server/src/platform/access/queries.ts',
    snippet: ' and w.provisioned_by_app_id = ${params.appId} and w.archived_at is null',
    replacement: ' and ${params.appId}::uuid is not null and w.archived_at is null',
    test: {
      file: 'server/src/features/account/members/members.test.ts',
      title: 'people of a workspace that an app provisioned get no mail and are added by the app',
    },
  },
  {
    name: "tenancy: only the profile's connections are visible",
    file: 'server/src/features/sources/connections/queries.ts',
    snippet: "    .where('c.profile_id', '=', params.profileId)\n    .orderBy('c.created_at')",
    replacement: "    .orderBy('c.created_at')",
    test: { file: sweep, title: foreignId },
  },
  {
    name: 'tenancy: an app sees only connections covered by its grant',
    file: 'server/src/features/sources/connections/queries.ts',
    snippet: "      .where('g.app_id', '=', params.appId)\n",
    replacement: '',
    test: {
      file: 'server/src/features/sources/connections/connections.test.ts',
      title: 'sees only what it connected; ending the authorization revokes its keys and keeps the data',
    },
  },
  {
    name: "tenancy: only the profile's webhook subscriptions are visible",
    file: 'server/src/features/outgoing/webhooks/queries.ts',
    snippet: "    .where('profile_id', '=', owner.profileId)\n",
    replacement: '',
    test: { file: sweep, title: foreignId },
  },
  {
    name: 'tenancy: an app sees only its own webhook subscriptions',
    file: 'server/src/features/outgoing/webhooks/queries.ts',
    snippet:
      "return owner.appId === null ? query.where('app_id', 'is', null) : query.where('app_id', '=', owner.appId)",
    replacement: 'return query',
    test: {
      file: 'server/src/features/facts/outbox/outcomes.test.ts',
      title: 'a direct key of the profile cannot see the subscriptions of an app',
    },
  },
  {
    name: "tenancy: only the profile's webhook deliveries are visible",
    file: 'server/src/features/outgoing/webhooks/queries.ts',
    snippet:
      'join webhook_subscriptions s on s.profile_id = ${params.profileId} and s.id = d.subscription_id\n    where d.profile_id = ${params.profileId} and d.id',
    replacement: 'join webhook_subscriptions s on s.id = d.subscription_id\n    where d.id',
    test: {
      file: 'server/src/features/outgoing/webhooks/deliveries.test.ts',
      title: 'a delivery of another profile responds like an unknown one',
    },
  },
  {
    name: 'tenancy: a replay cursor is valid for its profile only',
    file: 'server/src/features/outgoing/webhooks/replay/replay.ts',
    snippet: '    (cursorProfileId === profileId || profileId === null) &&\n',
    replacement: '',
    test: {
      file: 'server/src/features/facts/outbox/outcomes.test.ts',
      title: 'a cursor of another profile is refused, also if this profile has as many outcomes',
    },
  },
  {
    name: 'tenancy: a payer is a customer of the profile',
    file: 'server/src/features/corrections/payments/operations.ts',
    snippet: 'if (customer === undefined || (choice.customer_id !== undefined && customer !== id))',
    replacement: 'if (false)',
    test: {
      file: 'server/src/features/corrections/payments/payments.test.ts',
      title: 'refuses a payer who is not a customer of the profile',
    },
  },
  {
    name: "tenancy: an erasure is limited to the person's workspace",
    file: 'server/src/features/corrections/erasures/operations.ts',
    snippet: 'if (profile?.workspaceId !== workspaceId)',
    replacement: 'if (false)',
    test: {
      file: 'server/src/features/corrections/erasures/erasures.test.ts',
      title:
        'customers and receipts of another profile are refused like unknown ones, and an editor may not erase',
    },
  },
  {
    name: 'tenancy: a profile member can be changed within the workspace only',
    file: 'server/src/features/account/members/operations.ts',
    snippet: 'if (!inWorkspace || row === undefined) throw memberNotFound()\n',
    replacement: 'if (row === undefined) throw memberNotFound()\n',
    test: {
      file: 'server/src/features/account/members/members.test.ts',
      title: 'a membership applies to its profile only, and can be changed through its workspace only',
    },
  },
  {
    name: 'privacy: a value encrypted for one row cannot be decrypted in another',
    file: 'server/src/platform/secrets/seal.ts',
    snippet: 'JSON.stringify([cell.table, cell.row, cell.column, cell.profileId])',
    replacement: 'JSON.stringify([cell.table, cell.column])',
    test: { file: 'server/src/platform/secrets/secrets.test.ts', title: 'does not open with %j instead' },
  },
]
