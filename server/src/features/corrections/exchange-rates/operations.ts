import type { ProfileContext } from '../../../context.ts'
import { recordSetting } from '../../../platform/audit/record.ts'
import { ApiError } from '../../../platform/contract/errors.ts'
import { inTransaction, type Tx } from '../../../platform/db/database.ts'
import { lockProfile } from '../../../platform/db/profile-lock.ts'
import { enqueue } from '../../../platform/jobs/enqueue.ts'
import { reconvertJob } from '../../attribution/pipeline/rates-job.ts'
import * as queries from './queries.ts'

export async function listExchangeRates({ db, profile }: ProfileContext) {
  return queries.listRates(db, { profileId: profile.id })
}

/** The rate, its audit entry and the job that converts the amounts are written in one transaction. */
export function saveExchangeRate(context: ProfileContext, entered: queries.RateKey & { rate: string }) {
  const { id: profileId, currency: target } = context.profile
  if (entered.currency === target)
    throw new ApiError('invalid_state', `${target} is the reporting currency and needs no rate.`, {
      reason: 'reporting_currency',
    })
  const key = { profileId, currency: entered.currency, day: entered.day }
  return inTransaction(context.db, async (tx) => {
    await lockProfile(tx, profileId)
    const before = await queries.findRate(tx, key)
    await queries.upsertRate(tx, { ...key, target, rate: entered.rate, now: context.now })
    const after = (await queries.findRate(tx, key))!
    if (before?.rate === after.rate && before.target === target) return before
    await recordSetting(tx, context, {
      action: 'exchange_rate.entered',
      subject: toSubject(key),
      before: toAuditValues(before),
      after: toAuditValues(after),
    })
    await queueConversion(tx, key)
    return after
  })
}

export function deleteExchangeRate(
  context: ProfileContext,
  { currency, day }: queries.RateKey,
): Promise<null> {
  const key = { profileId: context.profile.id, currency, day }
  return inTransaction(context.db, async (tx) => {
    await lockProfile(tx, key.profileId)
    const before = await queries.findRate(tx, key)
    if (before === undefined)
      throw new ApiError('not_found', 'No rate was entered for this currency and day.')
    await queries.deleteRate(tx, key)
    await recordSetting(tx, context, {
      action: 'exchange_rate.removed',
      subject: toSubject(key),
      before: toAuditValues(before),
      after: null,
    })
    await queueConversion(tx, key)
    return null
  })
}

const toSubject = ({ currency, day }: queries.RateKey) => `${currency} ${day}`

function toAuditValues(row: queries.EnteredRate | undefined) {
  return row === undefined ? null : { rate: row.rate, target: row.target }
}

async function queueConversion(
  tx: Tx,
  { profileId, currency, day }: queries.RateKey & { profileId: string },
) {
  await enqueue(tx, reconvertJob, { currency, day }, { profileId })
}
