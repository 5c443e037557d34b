import { type DataOf, getTrackingConsent } from '@whence/sdk'
import { useProfileRead } from '../../api/profile.ts'
import { count, percent } from '../../format/numbers.ts'
import { Card } from '../../ui/card.tsx'
import { Loaded } from '../../ui/loaded.tsx'

type Counts = DataOf<typeof getTrackingConsent>

const sourceNames: Record<string, string> = {
  gpc: 'Global Privacy Control',
  page: 'Calls of your page',
  tcf: 'Banner with TCF',
  consent_mode: 'Banner with consent mode',
  shopify: 'Shopify',
  wp: 'WordPress',
  attribute: 'Setting of the tag',
  tracker: 'Tracker',
  api: 'Your server',
}

/** Statements of the last 30 days about use for ads, by source. */
export function ConsentCounts() {
  const counts = useProfileRead(getTrackingConsent)
  return (
    <Card title="What visitors chose" note="Events of the last 30 days, by what stated the choice." flush>
      <Loaded query={counts}>
        {({ data }) => (
          <ul className="list">
            {bySource(data).map(({ source, agreed, refused }) => (
              <li key={source} className="coverage">
                <span className="grow">
                  <strong>{sourceNames[source] ?? source}</strong>
                  <span className="sub">{`${count(refused)} events refuse the use for ads`}</span>
                </span>
                <span>
                  <strong>{count(agreed)}</strong> <span className="faint">agree</span>
                </span>
              </li>
            ))}
            <li className="coverage">
              <span className="grow">
                <strong>Visits that began before the choice</strong>
                <span className="sub">
                  Only visitors who agreed later are known, so the real share is higher.
                </span>
              </span>
              <strong>{data.pending_share === null ? '–' : percent(data.pending_share * 100)}</strong>
            </li>
            {data.conflicts === 0 ? null : (
              <li className="coverage">
                <span className="grow">
                  <strong>Contradictory banners</strong>
                  <span className="sub">The refusal applies.</span>
                </span>
                <strong>{count(data.conflicts)}</strong>
              </li>
            )}
          </ul>
        )}
      </Loaded>
    </Card>
  )
}

function bySource({ days }: Counts) {
  const sources = [...new Set(days.map((row) => row.source))]
  return sources.map((source) => {
    const of = (state: string) =>
      days.reduce(
        (sum, row) =>
          sum +
          (row.source === source && row.purpose === 'ad_user_data' && row.state === state ? row.events : 0),
        0,
      )
    return { source, agreed: of('granted'), refused: of('denied') }
  })
}
