import { getUnattributed, listConnections } from '@whence/sdk'
import { useProfileRead } from '../api/profile.ts'
import { agoText } from '../format/times.ts'
import { providerName } from '../names/providers.ts'
import { Caveats } from '../report/freshness.tsx'
import { useReport } from '../report/use-report.ts'

const paying: readonly string[] = [
  'cardpay',
  'regionalpay',
  'storefront',
  'woocommerce',
  'crmsuite',
  'hubspot',
  'banklink',
]

/** For pages whose own answer says nothing of it: how far the figures reach and what is missing. */
export function ReportHealth({ payments = false }: { payments?: boolean }) {
  const { query } = useReport()
  const report = useProfileRead(getUnattributed, { query }, { keep: true })
  const connections = useProfileRead(listConnections, {}, { enabled: payments }).data?.data
  if (!report.data) return <p className="data-through">&nbsp;</p>
  const synced = (connections ?? []).flatMap(({ channel, status, sync }) =>
    paying.includes(channel) && status === 'connected' && sync.last_success_at
      ? { name: providerName(channel), at: sync.last_success_at }
      : [],
  )
  // The one that is furthest behind decides.
  const [oldest] = synced.map(({ at }) => at).sort()
  const names = synced.map(({ name }) => name).join(', ')
  const sources = oldest ? [`${names} synced ${agoText(oldest)}`] : []
  return <Caveats meta={report.data.meta} sources={sources} />
}
