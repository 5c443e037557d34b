import { getUnattributed, listConnections } from '@whence/sdk'
import { useProfileRead } from '../api/profile.ts'
import { agoText } from '../format/times.ts'
import { providerName } from '../names/providers.ts'
import { Caveats } from '../report/freshness.tsx'
import { useReport } from '../report/use-report.ts'

const paymentChannels: readonly string[] = [
  'cardpay',
  'regionalpay',
  'storefront',
  'woocommerce',
  'crmsuite',
  'hubspot',
  'banklink',
]

/** Freshness and missing amounts, for pages whose own response does not contain them. */
export function ReportHealth({ payments = false }: { payments?: boolean }) {
  const { query } = useReport()
  const report = useProfileRead(getUnattributed, { query }, { keep: true })
  const connections = useProfileRead(listConnections, {}, { enabled: payments }).data?.data
  if (!report.data) return <p className="data-through">&nbsp;</p>
  const synced = (connections ?? []).flatMap(({ channel, status, sync }) =>
    paymentChannels.includes(channel) && status === 'connected' && sync.last_success_at
      ? { name: providerName(channel), at: sync.last_success_at }
      : [],
  )
  // Shows the oldest sync.
  const [oldest] = synced.map(({ at }) => at).sort()
  const names = synced.map(({ name }) => name).join(', ')
  const sources = oldest ? [`${names} synced ${agoText(oldest)}`] : []
  return <Caveats meta={report.data.meta} sources={sources} />
}
