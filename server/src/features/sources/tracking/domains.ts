/** First-party tracking domains: a subdomain of the business's site with a CNAME that points to the service. */
import { authorizationOf, type JobContext, type ProfileContext, type Service } from '../../../context.ts'
import { findCreatingApps, requireOwnObject } from '../../../platform/access/created-by-apps.ts'
import { requireHealthcareDecider } from '../../../platform/access/decisions.ts'
import { requireLiveMaker } from '../../../platform/access/live-maker.ts'
import { clearShortCache } from '../../../platform/access/short-cache.ts'
import { requireBelowLimit } from '../../../platform/access/tenant-limits.ts'
import { recordSetting } from '../../../platform/audit/record.ts'
import { ApiError } from '../../../platform/contract/errors.ts'
import { uuidv7 } from '../../../platform/contract/ids.ts'
import { inTransaction } from '../../../platform/db/database.ts'
import {
  countDomains,
  type DomainRow,
  deleteDomain,
  insertDomain,
  listTrackingDomains,
  saveDailyVerdict,
  saveVerdict,
  type Verdict,
} from './domain-queries.ts'

const noDomain = () => new ApiError('not_found', 'No such tracking domain.')

export async function createTrackingDomain(context: ProfileContext, domain: string): Promise<DomainRow> {
  await requireHealthcareDecider(context, 'Registering a tracking domain')
  const profileId = context.profile.id
  return inTransaction(context.db, async (tx) => {
    await requireLiveMaker(tx, context)
    await requireBelowLimit(tx, 'tracking_domains', profileId, () => countDomains(tx, { profileId }))
    const row = await insertDomain(tx, {
      profileId,
      id: uuidv7(context.now),
      domain,
      authorizationId: authorizationOf(context.caller),
      now: context.now,
    })
    if (row === undefined)
      throw new ApiError('invalid_state', 'This domain is already registered.', {
        reason: 'domain_registered',
      })
    await recordSetting(tx, context, {
      action: 'tracking_domain.registered',
      subject: row.id,
      before: null,
      after: { domain },
    })
    return row
  })
}

export type ShownDomain = DomainRow & { created_by_app: { id: string; name: string } | null }

/** Adds the app that registered each domain. */
export async function showDomains(
  context: ProfileContext,
  rows: readonly DomainRow[],
): Promise<ShownDomain[]> {
  const apps = await findCreatingApps(context.db, { profileId: context.profile.id })
  return rows.map((row) => {
    const app = apps.get(row.authorization_id ?? '')
    return { ...row, created_by_app: app === undefined ? null : { id: app.id, name: app.name } }
  })
}

export async function deleteTrackingDomain(context: ProfileContext, id: string): Promise<void> {
  await requireHealthcareDecider(context, 'Removing a tracking domain')
  await inTransaction(context.db, async (tx) => {
    const domain = await deleteDomain(tx, { profileId: context.profile.id, id })
    if (domain === undefined) throw noDomain()
    await recordSetting(tx, context, {
      action: 'tracking_domain.removed',
      subject: id,
      before: { domain },
      after: null,
    })
  })
}

export async function verifyTrackingDomain(context: ProfileContext, id: string): Promise<DomainRow> {
  const profileId = context.profile.id
  await requireHealthcareDecider(context, 'Verifying a tracking domain')
  const row = (await listTrackingDomains(context.db, { profileId })).find((domain) => domain.id === id)
  if (row === undefined) throw noDomain()
  // If the authorization of the registering app has ended, the caller becomes the owner of the domain.
  const apps = await findCreatingApps(context.db, { profileId })
  const isEnded = apps.get(row.authorization_id ?? '')?.isEnded === true
  if (isEnded) await requireOwnObject(context.db, context, row.authorization_id)
  const verdict = await checkCname(context.service, row.domain)
  const authorizationId = isEnded ? authorizationOf(context.caller) : row.authorization_id
  const updated = await inTransaction(context.db, async (tx) => {
    await requireLiveMaker(tx, context)
    return saveVerdict(tx, {
      profileId,
      id,
      status: verdict.status === 'verified' ? 'verified' : 'failed',
      detail: verdict.detail,
      authorizationId,
      now: context.now,
    })
  })
  if (updated === undefined) throw noDomain()
  return updated
}

/** The daily check. A failed lookup, as opposed to a missing record, leaves the domain verified until the next day. */
export async function recheckDomain(
  { db, service, log }: JobContext,
  ref: { profileId: string; id: string },
): Promise<void> {
  const row = (await listTrackingDomains(db, ref)).find((domain) => domain.id === ref.id)
  if (row?.status !== 'verified') return
  const verdict = await checkCname(service, row.domain)
  const now = service.clock.now()
  if (verdict.status === 'unknown') {
    log.warn('DNS lookup of a tracking domain failed; it remains verified until the check tomorrow', {
      profile_id: ref.profileId,
    })
    await saveDailyVerdict(db, { ...ref, status: 'verified', detail: verdict.detail, now })
  } else await saveDailyVerdict(db, { ...ref, status: verdict.status, detail: verdict.detail, now })
  clearShortCache(service)
}

export function cnameTarget(service: Service): string {
  return new URL(service.config.BASE_URL).hostname
}

type LookupResult = { status: Verdict['status'] | 'unknown'; detail: string | null }

async function checkCname(service: Service, domain: string): Promise<LookupResult> {
  const target = cnameTarget(service)
  try {
    const cnames = (await service.dns.cnames(domain)).map((name) => name.replace(/\.$/, '').toLowerCase())
    if (cnames.includes(target)) return { status: 'verified', detail: null }
    const actual = cnames.length === 0 ? 'it has no CNAME record' : `its CNAME is ${cnames.join(', ')}`
    return { status: 'failed', detail: `Expected a CNAME to ${target}, but ${actual}.` }
  } catch {
    return { status: 'unknown', detail: 'The domain could not be looked up; try again later.' }
  }
}
