import { canReadPeople, type JobContext, type ProfileContext } from '../../../context.ts'
import { findProfileRef } from '../../../platform/access/queries.ts'
import { addDays } from '../../../platform/contract/dates.ts'
import { toDecimalNumber } from '../../../platform/contract/money.ts'
import { dayBounds, localDay } from '../../../platform/contract/zones.ts'
import { inTransaction } from '../../../platform/db/database.ts'
import { doctorFinding } from '../../facts/outbox/event-factories.ts'
import { recordEvents } from '../../facts/outbox/record.ts'
import { checks, readFacts } from './checks.ts'
import type { CheckStatus } from './contract.ts'
import type { Installation } from './installation.ts'
import { type CheckRow, listChecks, saveChecks } from './queries/findings.ts'
import { isOpen, type Verdict } from './verdict-rules.ts'

const WINDOW_DAYS = 28
const byUrgency: readonly CheckStatus[] = ['problem', 'warning', 'ok', 'not_applicable']

export async function getDoctor(context: ProfileContext) {
  const { currency } = context.profile
  const rows = new Map(
    (await listChecks(context.db, { profileId: context.profile.id })).map((row) => [row.check_id, row]),
  )
  const showsPeople = canReadPeople(context)
  const results = checks
    .flatMap(({ id, question, advice }) => {
      const row = rows.get(id)
      return row === undefined ? [] : [{ id, question, advice, row }]
    })
    .sort((a, b) => byUrgency.indexOf(a.row.status) - byUrgency.indexOf(b.row.status))
  return {
    status: results[0]?.row.status ?? null,
    checked_at: results[0]?.row.checked_at ?? null,
    currency,
    checks: results.map(({ row, ...check }) => ({
      ...check,
      status: row.status,
      count: row.affected,
      value: row.value_minor === null ? null : toDecimalNumber(row.value_minor, currency),
      since: row.since,
      opened_at: row.opened_at,
      examples: row.examples.filter(({ kind }) => kind !== 'customer' || showsPeople),
    })),
  }
}

/** Runs all checks over the last 28 days, and sends events for opened and resolved findings. */
export async function checkProfile(
  { db, now }: Pick<JobContext, 'db' | 'now'>,
  profileId: string,
  installation: Installation,
): Promise<void> {
  const profile = await findProfileRef(db, { profileId })
  if (profile === undefined) return
  const { timezone, currency } = profile
  const today = localDay(now, timezone)
  const [from, to] = [addDays(today, -WINDOW_DAYS), addDays(today, -1)]
  const window = {
    profileId,
    timezone,
    from,
    to,
    now,
    start: dayBounds(from, timezone).start,
    end: dayBounds(today, timezone).start,
  }
  const facts = await readFacts(db, window, installation)
  const verdicts: [string, Verdict][] = []
  for (const { id, assess } of checks) verdicts.push([id, await assess(facts)])
  await inTransaction(db, async (tx) => {
    const before = new Map((await listChecks(tx, { profileId })).map((row) => [row.check_id, row]))
    const rows = verdicts.map(([id, verdict]) => toRow(id, verdict, before.get(id), now))
    await saveChecks(tx, { profileId, checks: rows })
    const changed = rows.filter(({ check_id: id, status }) => {
      const previous = before.get(id)
      return isOpen(status) !== (previous !== undefined && isOpen(previous.status))
    })
    const inCurrency = (valueMinor: number | null) =>
      valueMinor === null ? null : toDecimalNumber(valueMinor, currency)
    await recordEvents(
      tx,
      changed.map((row) =>
        doctorFinding(
          isOpen(row.status) ? 'doctor.finding.opened' : 'doctor.finding.resolved',
          profileId,
          {
            check_id: row.check_id,
            status: row.status,
            count: row.affected,
            value: inCurrency(row.value_minor),
            since: row.since,
          },
          now,
        ),
      ),
      now,
    )
  })
}

function toRow(id: string, verdict: Verdict, previous: CheckRow | undefined, now: Date): CheckRow {
  return {
    check_id: id,
    status: verdict.status,
    affected: verdict.count,
    value_minor: verdict.valueMinor,
    since: verdict.since,
    examples: [...verdict.examples],
    checked_at: now,
    opened_at: isOpen(verdict.status) ? (previous?.opened_at ?? now) : null,
  }
}
