/**
 * HTTP revalidation: unchanged reports are not computed again. The state of the profile (`queries/report-state.ts`) is
 * read before and after the report. If both are equal, no change was committed in between, so the response belongs to
 * that state. The ETag is a hash of the request and the state.
 */

import { createHash } from 'node:crypto'
import type { ProfileContext, Service } from '../../../context.ts'
import { localDay } from '../../../platform/contract/zones.ts'
import { isUnavailable, withAnswerTimeout } from '../../../platform/db/answer-timeout.ts'
import { migrationActiveFrom } from '../../../platform/db/migrated-from.ts'
import { type Answer, JsonText, type Route } from '../../../platform/http/route.ts'
import { readBuildId, version } from '../../../platform/version.ts'
import { freshnessOf } from '../../facts/events/freshness-rules.ts'
import { type ReportState, readReportState } from '../../figures/snapshot/queries/report-state.ts'
import { toFreshness } from '../../figures/snapshot/snapshot.ts'
import { responseCacheOf } from './response-cache.ts'

type Input = Parameters<Route['handle']>[1]

export function withRevalidation(route: Route): Route {
  if (!route.entry.revalidates) return route
  return { ...route, handle: (context, input) => respondIfChanged(route, context as ProfileContext, input) }
}

async function respondIfChanged(
  route: Route,
  context: ProfileContext,
  input: Input,
): Promise<Answer<unknown>> {
  const { db, profile, now } = context
  if (!(await hasChangeNumbers(context.service, now))) return route.handle(context, input)
  const before = await readReportState(db, profile.id)
  const etag = etagOf(route, context, input, before)
  const stored = input.headers['if-none-match']
  if (stored !== undefined && matches(stored, etag)) return { data: null, etag, isUnchanged: true }
  const cache = responseCacheOf(context.service)
  const cached = skipsCache(input.headers) ? undefined : cache.get(etag)
  if (cached !== undefined)
    return { ...toAnswer(cached), meta: withCurrentFreshness(cached.meta, before, now), etag }
  const answer = await route.handle(context, input)
  const after = await readReportState(db, profile.id)
  if (context.shown.size > 0 || etagOf(route, context, input, after) !== etag) return answer
  const data = new JsonText(JSON.stringify(answer.data))
  const { meta = {}, extra } = answer
  cache.set(etag, { data, meta, extra })
  return { ...answer, data, etag }
}

const changeNumbersSince = new WeakMap<Service, Date>()

/** Whether change numbers are recorded already. The time is fixed once its migration ran, so it is read once per process. */
async function hasChangeNumbers(service: Service, now: Date): Promise<boolean> {
  const since = changeNumbersSince.get(service)
  if (since !== undefined) return since <= now
  try {
    const from = await withAnswerTimeout(migrationActiveFrom(service.db, '1230_report_changes.sql'))
    changeNumbersSince.set(service, from)
    return from <= now
  } catch (error) {
    // The profile's own node can still compute the report.
    if (service.nodes.isDistributed && isUnavailable(error)) return false
    throw error
  }
}

const toAnswer = ({ data, extra }: { data: JsonText; extra: Record<string, unknown> | undefined }) =>
  extra === undefined ? { data } : { data, extra }

/** Weak, because `computed_through` is the time of the response while no event waits. */
function etagOf({ entry }: Route, context: ProfileContext, input: Input, state: ReportState): string {
  const { profile, caller, role, scopes, now } = context
  const { waiting_since: _, recomputing: __, ...facts } = state
  const parts = [
    version,
    readBuildId(),
    entry.name,
    input.params,
    input.query,
    profile,
    [caller.kind, caller.kind === 'key' ? caller.appId : null, role, ...scopes],
    localDay(now, profile.timezone),
    freshnessOf(state, now).isStale,
    facts,
  ]
  return `W/"${createHash('sha256').update(JSON.stringify(parts)).digest('base64url').slice(0, 27)}"`
}

/** `If-None-Match` compares weakly (RFC 9110, 13.1.2). */
function matches(header: string, etag: string): boolean {
  const opaque = (tag: string) => tag.trim().replace(/^W\//, '')
  return header.split(',').some((tag) => opaque(tag) === opaque(etag))
}

function skipsCache(headers: Record<string, string>): boolean {
  return /\bno-(cache|store)\b/.test(headers['cache-control'] ?? '')
}

function withCurrentFreshness(
  meta: Record<string, unknown>,
  state: ReportState,
  now: Date,
): Record<string, unknown> {
  const { freshness } = meta
  if (typeof freshness !== 'object' || freshness === null) return meta
  return { ...meta, freshness: { ...freshness, ...toFreshness(state, now) } }
}
