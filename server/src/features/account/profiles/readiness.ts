import type { AnyContext, KeyCaller, UserCaller } from '../../../context.ts'
import { findEntitlement, findProfileRef } from '../../../platform/access/queries.ts'
import { noProfile } from '../../../platform/contract/errors.ts'
import { getPermissions, requireScopes } from '../../../platform/http/authorize.ts'
import { unpackCredit } from '../../attribution/crediting/credits/packed.ts'
import {
  findEvidence,
  isTrackerKeyIssued,
  listConnectionStates,
  listNewestCredits,
} from './readiness-queries.ts'
import { decideSteps } from './readiness-rules.ts'

/** For the profile's keys and for people with access to it. */
export async function getReadiness(context: AnyContext, profileId: string) {
  const caller = context.caller as KeyCaller | UserCaller
  if (caller.kind === 'key' && caller.profileId !== profileId) throw noProfile()
  const profile = await findProfileRef(context.db, { profileId })
  if (profile === undefined) throw noProfile()
  const permissions = await getPermissions(context, caller, profile)
  requireScopes(caller, permissions, {
    scopes: [],
    anyOf: ['tracking:read', 'connections:read', 'analytics:read', 'campaigns:read'],
  })
  const [evidence, isTracked, connections, enabled] = await Promise.all([
    findEvidence(context.db, { profileId }),
    isTrackerKeyIssued(context.db, { profileId }),
    listConnectionStates(context.db, { profileId }),
    findEntitlement(context.db, { profileId, feature: 'attribution' }),
  ])
  // A credit without a campaign may belong to a visit or to none; only the stored credit shows which.
  const isCredited =
    evidence.credit ||
    (evidence.conversion &&
      (await listNewestCredits(context.db, { profileId })).some(
        (packed) => unpackCredit(packed).touches.length > 0,
      ))
  const steps = decideSteps({
    attributionEnabled: profile.provisionedByAppId === null || enabled,
    trackerKeyIssued: isTracked,
    trackerEventSeen: evidence.tracker_event,
    connections,
    spendSeen: evidence.spend,
    outcomeEventSeen: evidence.outcome_event,
    touchSeen: evidence.touch,
    conversionSeen: evidence.conversion,
    creditSeen: isCredited,
  })
  return { ready: steps.every((step) => step.state === 'done'), steps }
}
