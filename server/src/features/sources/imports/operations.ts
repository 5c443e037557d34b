import type { ProfileContext } from '../../../context.ts'
import { recordSetting } from '../../../platform/audit/record.ts'
import { ApiError } from '../../../platform/contract/errors.ts'
import { accepted, Refusal } from '../../../platform/contract/refusal.ts'
import { inTransaction } from '../../../platform/db/database.ts'
import { lockProfile } from '../../../platform/db/profile-lock.ts'
import { loadAttributionProfile } from '../../attribution/crediting/settings.ts'
import { type DeliveryCounts, saveAdRecords } from '../../attribution/pipeline/save-ad-records.ts'
import type { SpendRow } from './contract.ts'
import { sumSpend } from './queries.ts'
import { findDuplicate, readSpendCsv, toRecords } from './rules.ts'

/** Atomic: imports all rows or none. */
export async function importSpend(
  context: ProfileContext,
  rows: readonly SpendRow[],
): Promise<DeliveryCounts> {
  accepted(findDuplicate(rows))
  const records = rows.map((row, index) => ({
    source: row.source,
    records: accepted(toRecords(row, `rows.${index}`, context.profile.currency)),
  }))
  return inTransaction(context.db, async (tx) => {
    await lockProfile(tx, context.profile.id)
    // Read after the lock, so that a writer that waited has a later time than the previous one.
    const now = context.service.clock.now()
    const profile = await loadAttributionProfile(tx, context.profile.id)
    const counts = { inserted: 0, updated: 0, unchanged: 0 }
    const days = rows.map((row) => row.date).sort()
    const scope = {
      profileId: context.profile.id,
      sources: [...new Set(rows.map((row) => row.source))],
      from: days[0]!,
      to: days.at(-1)!,
    }
    const before = await sumSpend(tx, scope)
    for (const [source, ofSource] of Map.groupBy(records, (entry) => entry.source)) {
      const sourceCounts = await saveAdRecords(
        tx,
        profile,
        { source, connectionId: null },
        ofSource.flatMap((entry) => entry.records),
        now,
      )
      counts.inserted += sourceCounts.inserted
      counts.updated += sourceCounts.updated
      counts.unchanged += sourceCounts.unchanged
    }
    const { sources, from, to } = scope
    await recordSetting(tx, context, {
      action: 'spend.imported',
      before: { spend: before },
      after: { spend: await sumSpend(tx, scope), ...counts, sources, date_from: from, date_to: to },
    })
    return counts
  })
}

export function importSpendCsv(context: ProfileContext, bytes: Buffer): Promise<DeliveryCounts> {
  return importSpend(context, readCsv(bytes))
}

export function readCsv(bytes: Buffer): SpendRow[] {
  return accepted(readSpendCsv(decode(bytes)))
}

/** Checks that do not depend on the profile. */
export function validateSpend(rows: readonly SpendRow[]): void {
  accepted(findDuplicate(rows))
  for (const [index, row] of rows.entries()) validateRow(row, `rows.${index}`)
}

/**
 * A row without a currency uses the profile's, which is not known here. So an amount is refused only if it is invalid
 * both with four decimals (CLF) and with none (JPY).
 */
function validateRow(row: SpendRow, at: string): void {
  if (toRecords(row, at, 'CLF') instanceof Refusal) accepted(toRecords(row, at, 'JPY'))
}

function decode(bytes: Buffer): string {
  try {
    const text = new TextDecoder('utf-8', { fatal: true }).decode(bytes)
    if (!text.includes('\0')) return text
  } catch {
    // Refused below, like a NUL character.
  }
  throw new ApiError('invalid_request', 'The CSV is not UTF-8 text.')
}
