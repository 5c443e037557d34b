/** First-party tracking domains: a CNAME of the business's own site that leads to the service. */
import type { ProfileContext, Service } from '../../context.ts'
import { ApiError } from '../../contract/errors.ts'
import { uuidv7 } from '../../contract/ids.ts'
import {
  type DomainRow,
  deleteDomain,
  insertDomain,
  listTrackingDomains,
  saveVerdict,
  type Verdict,
} from './domain-queries.ts'

const noDomain = () => new ApiError('not_found', 'No such tracking domain.')

export async function createTrackingDomain(context: ProfileContext, domain: string): Promise<DomainRow> {
  const row = await insertDomain(context.db, {
    profileId: context.profile.id,
    id: uuidv7(context.now),
    domain,
    now: context.now,
  })
  if (row === undefined)
    throw new ApiError('invalid_state', 'This domain is registered already.', { reason: 'domain_registered' })
  return row
}

export async function deleteTrackingDomain(context: ProfileContext, id: string): Promise<void> {
  if (!(await deleteDomain(context.db, { profileId: context.profile.id, id }))) throw noDomain()
}

export async function verifyTrackingDomain(context: ProfileContext, id: string): Promise<DomainRow> {
  const profileId = context.profile.id
  const row = (await listTrackingDomains(context.db, { profileId })).find((domain) => domain.id === id)
  if (row === undefined) throw noDomain()
  const verdict = await checkCname(context.service, row.domain)
  const saved = await saveVerdict(context.db, { profileId, id, ...verdict, now: context.now })
  if (saved === undefined) throw noDomain()
  return saved
}

export function cnameTarget(service: Service): string {
  return new URL(service.config.BASE_URL).hostname
}

async function checkCname(service: Service, domain: string): Promise<Verdict> {
  const target = cnameTarget(service)
  try {
    const found = (await service.dns.cnames(domain)).map((name) => name.replace(/\.$/, '').toLowerCase())
    if (found.includes(target)) return { status: 'verified', detail: null }
    const said = found.length === 0 ? 'it has no CNAME record' : `its CNAME is ${found.join(', ')}`
    return { status: 'failed', detail: `Expected a CNAME to ${target}, but ${said}.` }
  } catch {
    return { status: 'failed', detail: 'The domain could not be looked up; try again later.' }
  }
}
