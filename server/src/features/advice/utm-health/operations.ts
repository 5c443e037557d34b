import type { ProfileContext, Service } from '../../../context.ts'
import { DAY_MS } from '../../../platform/contract/dates.ts'
import { ApiError } from '../../../platform/contract/errors.ts'
import { toDecimalNumber } from '../../../platform/contract/money.ts'
import { inTransaction, isCancelled } from '../../../platform/db/database.ts'
import { enqueue, type JobRef } from '../../../platform/jobs/enqueue.ts'
import { type UtmHealth, UtmProblem } from './contract.ts'
import * as queries from './queries.ts'
import { findProblems, type TagProblem, templateOf } from './rules.ts'

const DAYS = 30
type Result = Omit<UtmHealth, 'scanned_at'>

const neverScanned: Result = {
  status: 'never_scanned',
  ads: 0,
  ads_with_problems: 0,
  spend: 0,
  spend_with_problems: 0,
  by_code: [],
  findings: [],
}

export async function getUtmHealth({ db, profile }: ProfileContext): Promise<UtmHealth> {
  const stored = await queries.findScan<Result>(db, { profileId: profile.id })
  return {
    ...(stored?.result ?? neverScanned),
    scanned_at: stored?.scanned_at.toISOString() ?? null,
  }
}

/** Runs within the time limit, or else enqueues a job. */
export async function scanUtmHealth(context: ProfileContext, job: JobRef<object>): Promise<UtmHealth> {
  const { service, profile, now } = context
  try {
    const { id: profileId, currency } = profile
    await scan(service, { profileId, currency, now, seconds: service.config.UTM_SCAN_SECONDS })
  } catch (cause) {
    if (!isCancelled(cause)) throw cause
    await enqueue(service.db, job, {}, { profileId: profile.id, dedupeKey: profile.id })
    throw new ApiError(
      'audit_timeout',
      'The check takes longer than the time limit of a request and continues in the background. Until then the previous result is available.',
      { cause, retryAfter: 60 },
    )
  }
  return getUtmHealth(context)
}

export async function scan(
  service: Service,
  params: { profileId: string; currency: string; now: Date; seconds: number | null },
): Promise<void> {
  const { profileId, now, seconds } = params
  const { machineNow } = service.clock
  const ends = seconds === null ? null : machineNow().getTime() + seconds * 1000
  const { backgroundDb } = await service.nodes.shardOf(profileId)
  await inTransaction(backgroundDb, async (tx) => {
    const within = async <T>(read: () => Promise<T>): Promise<T> => {
      if (ends !== null) await queries.limitStatements(tx, ends - machineNow().getTime())
      return read()
    }
    const since = new Date(now.getTime() - DAYS * DAY_MS)
    const ads = await within(() => queries.listRunningAds(tx, { profileId, since }))
    const visits = await within(() => queries.groupVisits(tx, { profileId, since }))
    const adIds = [...new Set(visits.flatMap(({ ad_id: adId }) => adId ?? []))]
    const listedAdIds = await within(() => queries.findListedAdIds(tx, { profileId, adIds }))
    const result = toResult(ads, findProblems(ads, { visits, listedAdIds }), params.currency)
    await within(() => queries.saveScan(tx, { profileId, now, result }))
  })
}

function toResult(ads: readonly queries.AdTags[], problems: readonly TagProblem[], currency: string): Result {
  const money = (amountMinor: number) => toDecimalNumber(amountMinor, currency)
  const affected = new Map(problems.flatMap(({ ad }) => (ad === null ? [] : [[ad.id, ad.spend_minor]])))
  const sum = (amounts: Iterable<number>) => [...amounts].reduce((total, amount) => total + amount, 0)
  return {
    status: problems.length > 0 ? 'problems' : ads.length === 0 ? 'no_ads' : 'healthy',
    ads: ads.length,
    ads_with_problems: affected.size,
    spend: money(sum(ads.map((ad) => ad.spend_minor))),
    spend_with_problems: money(sum(affected.values())),
    by_code: UtmProblem.options
      .map((code) => ({ code, findings: problems.filter((problem) => problem.code === code).length }))
      .filter(({ findings }) => findings > 0),
    findings: problems.map(({ code, message, platform, ad, value, visits, spendMinor }) => ({
      code,
      message,
      platform,
      ad: ad && { id: ad.id, platform_id: ad.platform_id, name: ad.name },
      campaign:
        ad?.campaign_id && ad.campaign_platform_id
          ? { id: ad.campaign_id, platform_id: ad.campaign_platform_id, name: ad.campaign_name }
          : null,
      value,
      visits,
      spend: spendMinor === null ? null : money(spendMinor),
      template: templateOf(platform)?.template ?? null,
      place: templateOf(platform)?.place ?? null,
    })),
  }
}
