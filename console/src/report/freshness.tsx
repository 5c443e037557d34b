import type { Success } from '@whence/server/contract/client.ts'
import { plural } from '../format/numbers.ts'
import { Notice } from '../ui/notice.tsx'

export type ReportMeta = {
  currency: string
  model: string
  lookback_days: number
  reconciliation: { total: number; credited: number; unattributed: number; delta: number }
  freshness: { computed_through: string; stale: boolean }
  fx_missing: number
}

export function metaOf(reply: Success<unknown>): ReportMeta {
  return reply.meta as ReportMeta
}

/** What a reader has to know before believing the figures; nothing when all is well. */
export function Caveats({ meta }: { meta: ReportMeta }) {
  return (
    <>
      {meta.freshness.stale ? (
        <Notice>New data is still being worked in. The figures below will move a little.</Notice>
      ) : null}
      {meta.fx_missing > 0 ? (
        <Notice tone="warn">
          {plural(meta.fx_missing, 'amount')} in another currency could not be converted for want of a rate,
          and is left out.
        </Notice>
      ) : null}
    </>
  )
}
