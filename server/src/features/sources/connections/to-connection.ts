/** API representation of a connection, here and under /integrations. */
import type { z } from 'zod'
import type { Account } from '../../../connectors/connector.ts'
import { toReply } from '../../../platform/contract/to-reply.ts'
import * as contract from './contract.ts'
import type * as operations from './operations.ts'
import type { SyncRow } from './queries.ts'
import type { SetAsideCount } from './set-aside.ts'

export function toSync(
  row: SyncRow | undefined,
  setAside: SetAsideCount | undefined,
): z.input<typeof contract.SyncState> {
  const progress =
    row === undefined || row.progress_done === null || row.state === 'idle'
      ? null
      : { done: row.progress_done, total: row.progress_total, unit: row.progress_unit ?? 'records' }
  return {
    state: (row?.state ?? 'idle') as contract.SyncState['state'],
    last_success_at: row?.last_success_at ?? null,
    complete_until: row?.complete_until ?? null,
    last_attempt_at: row?.last_attempt_at ?? null,
    last_error: row?.last_error ?? null,
    next_run_at: row?.next_run_at ?? null,
    progress,
    set_aside: { records: setAside?.records ?? 0, last_reason: setAside?.last_reason ?? null },
  }
}

export const toConnection = ({
  row,
  sync,
  setAside,
}: operations.ConnectionView): z.input<typeof contract.Connection> =>
  toReply(contract.Connection, row, {
    channel: row.provider as contract.Connection['channel'],
    sync: toSync(sync, setAside),
    missing_abilities: (setAside?.missing_abilities ?? []) as contract.Connection['missing_abilities'],
  })

/** Omits fields that only the connector uses. */
export function toCandidate({ id, name, kind, currency, timezone }: Account): contract.Candidate {
  return { id, name, kind, currency, timezone }
}
