/** What ends with the app, person or key that created it, and who may put a secret into what others created. */
import type { Guard } from './guard.ts'

const createdByApps = 'server/src/features/account/apps/created-by-apps.test.ts'
const makers = 'server/src/features/account/members/makers.test.ts'
const decisions = 'server/src/features/outgoing/exports/decisions/decisions.test.ts'
const tracking = 'server/src/features/sources/tracking/operations.ts'
const domains = 'server/src/features/sources/tracking/domains.ts'
const subscriptions = 'server/src/features/outgoing/webhooks/subscriptions.ts'
const ownerDecisions = {
  file: decisions,
  title:
    'what decides which data comes in or leaves a healthcare profile is an owner’s decision, and is audited',
}
const ownObjects = {
  file: createdByApps,
  title: 'an app cannot put a secret into what others made, nor switch on again what ended',
}
const removedMember = {
  file: makers,
  title:
    'what sends data to a place that a removed member chose stops, what others use passes to the owners, with a mail',
}
const whileEnding = {
  file: makers,
  title: 'what is being created while its maker loses the access ends too',
}
const admittedBefore = {
  file: makers,
  title: 'a request that was admitted before its maker lost the access creates nothing after it',
}
const liveMaker = 'server/src/platform/access/live-maker.ts'
const keysEnd = {
  file: makers,
  title: 'what a key or a user token created ends with it, and passes to its successor when it is rotated',
}

export const makerGuards: readonly Guard[] = [
  {
    name: 'makers: connections of an app end with its authorization',
    file: 'server/src/features/sources/connections/authorizations.ts',
    snippet: '  await endConnections(tx, params.authorizationIds)\n',
    replacement: '',
    test: {
      file: createdByApps,
      title: 'a connection that no person confirmed ends with the app that made it, with its signing secret',
    },
  },
  {
    name: 'makers: alerts of an app end with its authorization',
    file: 'server/src/platform/access/created-by-apps.ts',
    snippet: 'update alert_rules set enabled = false,',
    replacement: 'update alert_rules set enabled = enabled,',
    test: {
      file: createdByApps,
      title: 'resources that an app created stop with its authorization, and are listed under the app',
    },
  },
  {
    name: 'makers: a revoked store has no signing id',
    file: 'server/src/features/sources/connections/store.ts',
    snippet: "  await rowsWhere(tx, 'manual_stores', { profile_id: profileId, id: connectionId }).delete()\n",
    replacement: '',
    test: {
      file: createdByApps,
      title: 'a connection that no person confirmed ends with the app that made it, with its signing secret',
    },
  },
  {
    name: 'makers: an app replaces no connection of others',
    file: 'server/src/features/sources/connections/store.ts',
    snippet: 'if (app === null || app.mayReplace) return',
    replacement: 'if (app !== undefined) return',
    test: ownObjects,
  },
  {
    name: 'makers: an app changes only what it created',
    file: 'server/src/platform/access/created-by-apps.ts',
    snippet:
      'if (own === null || (await isSameApp(db, authorizationId, own)) || (await canDecide(context))) return',
    replacement: 'if (own !== undefined) return',
    test: ownObjects,
  },
  {
    name: 'makers: a withdrawal waits for what the app is creating',
    file: 'server/src/platform/access/authorizations.ts',
    snippet:
      '  for (const authorizationId of [...authorizationIds].sort()) await lockEnding(tx, { authorizationId })\n',
    replacement: '',
    test: { file: createdByApps, title: 'what an app is creating while it is withdrawn ends too' },
  },
  {
    name: 'makers: a removal waits for what the member is creating',
    file: 'server/src/features/account/members/operations.ts',
    snippet: '    await lockEnding(tx, { workspaceId, userId })\n    const [member]',
    replacement: '    const [member]',
    test: whileEnding,
  },
  {
    name: 'makers: a lowered role waits for what the member is creating',
    file: 'server/src/features/account/members/operations.ts',
    snippet: 'if (current !== undefined) await lockEnding(tx, { workspaceId, userId: user.id })',
    replacement: '',
    test: whileEnding,
  },
  {
    name: 'makers: the revocation of a key waits for what it is creating',
    file: 'server/src/features/account/api-keys/operations.ts',
    snippet:
      '    await lockEnding(tx, { credentialId: id })\n    const key = await lockApiKey(tx, { workspaceId, id })\n    if (key === undefined) throw keyNotFound()\n    if (key.revoked_at !== null &&',
    replacement:
      '    const key = await lockApiKey(tx, { workspaceId, id })\n    if (key === undefined) throw keyNotFound()\n    if (key.revoked_at !== null &&',
    test: whileEnding,
  },
  {
    name: 'makers: a removed member creates nothing with an admitted request',
    file: liveMaker,
    snippet: '    if (member === undefined) throw noProfile()\n    const scopes = scopesOfMember(member)\n',
    replacement: '    if (member === undefined) return\n    const scopes = scopesOfMember(member)\n',
    test: admittedBefore,
  },
  {
    name: 'makers: a lowered member creates nothing with an admitted request',
    file: liveMaker,
    snippet: '      throw lowered()\n',
    replacement: '      return\n',
    test: admittedBefore,
  },
  {
    name: 'makers: a lowered admin invites no one with an admitted request',
    file: liveMaker,
    snippet: '  if (isLower(current, role)) throw lowered()\n',
    replacement: '',
    test: admittedBefore,
  },
  {
    name: 'makers: a revoked key creates nothing with an admitted request',
    file: liveMaker,
    snippet: '  if (rows[0]?.live !== true) throw ended()\n',
    replacement: '',
    test: admittedBefore,
  },
  {
    name: 'webhooks: a weaker caller takes the contacts away',
    file: subscriptions,
    snippet: 'return mayRead && (before.opens_contact ||',
    replacement: 'return (before.opens_contact ||',
    test: {
      file: makers,
      title: 'a webhook carries no contacts once a caller without customers:read has changed it',
    },
  },
  {
    name: 'webhooks: a stronger caller does not give contacts to a weaker one’s webhook',
    file: subscriptions,
    snippet: '(change.choosesAddress && (await canDecide(context)))',
    replacement: 'true',
    test: {
      file: makers,
      title: 'a webhook that a weaker caller created carries no contacts after a change by a stronger key',
    },
  },
  {
    name: 'makers: what a removed member created ends',
    file: 'server/src/features/account/members/operations.ts',
    snippet:
      '    await endWhatPersonMade(tx, context, { workspaceId, userId })\n  })\n  forgetCredentials(context.service)\n}\n\ntype MembershipKey',
    replacement: '  })\n  forgetCredentials(context.service)\n}\n\ntype MembershipKey',
    test: removedMember,
  },
  {
    name: 'makers: invitations of a removed member are revoked',
    file: 'server/src/platform/access/maker-queries.ts',
    snippet: 'sql`update invitations set revoked_at = ${p.now}',
    replacement: 'sql`update invitations set revoked_at = null',
    test: removedMember,
  },
  {
    name: 'makers: what a lowered member may not create ends',
    file: 'server/src/features/account/members/operations.ts',
    snippet:
      '    if (current !== undefined) await endWhatPersonMade(tx, context, { workspaceId, userId: user.id })\n',
    replacement: '',
    test: {
      file: makers,
      title:
        'a lowered role ends what the member may no longer create, and a role that stays high ends nothing',
    },
  },
  {
    name: 'makers: what a revoked key created ends',
    file: 'server/src/features/account/api-keys/operations.ts',
    snippet:
      '    await endWhatCredentialMade(tx, context, {\n      id,\n      name: key.name ?? key.hint,\n      workspaceId,\n      profileIds: [key.profile_id],\n    })\n',
    replacement: '',
    test: keysEnd,
  },
  {
    name: 'makers: what an assistant created ends when it revokes its token',
    file: 'server/src/features/account/oauth/tokens.ts',
    snippet:
      '      await endConsent(tx, service, { id: row.authorization_id, userId: row.user_id!, name: row.name })\n',
    replacement: '      return\n',
    test: {
      file: 'server/src/features/account/oauth/mcp-clients.test.ts',
      title: 'what it created ends when it %s, and the owners get one mail',
    },
  },
  {
    name: 'makers: what an assistant created ends when its refresh token is replayed',
    file: 'server/src/features/account/oauth/tokens.ts',
    snippet: '      await endConsent(tx, service, { id: family, userId: row.user_id!, name: row.name })\n',
    replacement: '',
    test: {
      file: 'server/src/features/account/oauth/mcp-clients.test.ts',
      title: 'what it created ends when it %s, and the owners get one mail',
    },
  },
  {
    name: 'makers: what a rotated key created passes to its successor',
    file: 'server/src/features/account/api-keys/operations.ts',
    snippet: '    await passToKey(tx, { profileId: key.profile_id, from: id, to: minted.id })\n',
    replacement: '',
    test: keysEnd,
  },
  {
    name: 'keys: a foreign profile_id is refused',
    file: 'server/src/platform/http/authorize.ts',
    snippet:
      "if (caller.kind === 'key' && !namesOwnProfile(raw.query.profile_id, caller.profileId)) throw noProfile()",
    replacement: '',
    test: {
      file: makers,
      title: 'a key with the id of another profile is refused instead of acting on its own',
    },
  },
  {
    name: 'mcp: a key with a foreign profile_id is refused',
    file: 'server/src/mcp/server.ts',
    snippet: "if (caller.kind === 'key' && !namesOwnProfile(profileId, caller.profileId))",
    replacement: 'if (false)',
    test: {
      file: 'server/src/mcp/mcp.test.ts',
      title: 'with a key reads its own profile; a foreign one gets the same error as an unknown one',
    },
  },
  {
    name: 'healthcare: what the tracker collects is an owner’s decision',
    file: tracking,
    snippet: 'if (collectsOtherData(before, after))',
    replacement: 'if (false)',
    test: ownerDecisions,
  },
  {
    name: 'healthcare: revoking a tracking key is an owner’s decision',
    file: tracking,
    snippet: "  await requireHealthcareDecider(context, 'Revoking a tracking key')\n",
    replacement: '',
    test: ownerDecisions,
  },
  {
    name: 'healthcare: registering a tracking domain is an owner’s decision',
    file: domains,
    snippet: "  await requireHealthcareDecider(context, 'Registering a tracking domain')\n",
    replacement: '',
    test: ownerDecisions,
  },
  {
    name: 'healthcare: removing a tracking domain is an owner’s decision',
    file: domains,
    snippet: "  await requireHealthcareDecider(context, 'Removing a tracking domain')\n",
    replacement: '',
    test: ownerDecisions,
  },
  {
    name: 'healthcare: deleting a data export is an owner’s decision',
    file: 'server/src/features/outgoing/data-exports/operations.ts',
    snippet: '    if (isHealthcare(profile)) await requireOwnerOrAdmin(context)\n',
    replacement: '',
    test: ownerDecisions,
  },
  {
    name: 'healthcare: the events of a goal that is sent are an owner’s decision',
    file: 'server/src/features/corrections/goals/operations.ts',
    snippet: 'if (isMapped || healthcareAllowlist.includes(key))',
    replacement: 'if (false)',
    test: ownerDecisions,
  },
]
