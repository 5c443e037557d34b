import { getTrackingOps, getTrackingQuality } from '@whence/sdk'
import { useProfileContext, useProfileRead } from '../../api/profile.ts'
import { count, money, percent } from '../../format/numbers.ts'
import { agoText } from '../../format/times.ts'
import { Badge, type Tone } from '../../ui/badge.tsx'
import { Card } from '../../ui/card.tsx'
import { Loaded } from '../../ui/loaded.tsx'
import { Notice } from '../../ui/notice.tsx'
import { Stat } from '../../ui/stat.tsx'
import { kindNames } from '../exports/reasons.ts'
import { ConsentCounts } from './consent-counts.tsx'
import { OwnBrowser } from './own-browser.tsx'

const tones: Record<string, { tone: Tone; label: string }> = {
  healthy: { tone: 'good', label: 'Healthy' },
  attention: { tone: 'warn', label: 'Needs attention' },
  silent: { tone: 'plain', label: 'Silent' },
}

export function Quality() {
  const { profile } = useProfileContext()
  const quality = useProfileRead(getTrackingQuality)
  const ops = useProfileRead(getTrackingOps).data?.data
  return (
    <Loaded query={quality}>
      {({ data }) => {
        const { tone, label } = tones[data.status]!
        return (
          <>
            <Card
              title="Last seven days"
              note={`Last event ${agoText(data.last_event_at)}`}
              actions={<Badge tone={tone}>{label}</Badge>}
            >
              <div className="stack">
                {data.findings.length === 0 ? (
                  <Notice tone="good">No problems found.</Notice>
                ) : (
                  data.findings.map((finding) => (
                    <Notice key={finding.code} tone="warn">
                      {finding.message}
                    </Notice>
                  ))
                )}
              </div>
            </Card>
            <dl className="grid-stats">
              <Stat label="Events" value={count(data.events)} detail={`${count(data.bots)} from bots`} />
              <Stat
                label="Page views"
                value={count(data.page_views)}
                detail={`${count(data.sessions)} sessions`}
              />
              <Stat
                label="Visitors"
                value={count(data.visitors)}
                detail={`${count(data.identified)} identified`}
              />
              <Stat
                label="Ad clicks"
                value={count(data.with_click_id)}
                detail="visits with a platform’s click id"
              />
              {ops ? (
                <Stat
                  label="Waiting"
                  value={count(ops.waiting)}
                  detail={
                    ops.oldest_waiting_at ? `oldest ${agoText(ops.oldest_waiting_at)}` : 'all processed'
                  }
                />
              ) : null}
            </dl>
            <Card
              title="Coverage"
              note="How much of your traffic can be linked to an ad and to a person."
              flush
            >
              <ul className="list">
                <Coverage
                  label="Ad clicks with an ad id"
                  part={data.with_ad}
                  whole={data.with_click_id}
                  hint="Credited to the ad itself; other clicks only to their platform. Add the URL parameters under Install so that every click has an ad id."
                />
                <Coverage
                  label="Visitors identified"
                  part={data.identified}
                  whole={data.visitors}
                  hint="Identified by an email, phone or customer id, so that purchases on other devices are credited too."
                />
                <Coverage
                  label="Events from people"
                  part={data.events - data.bots}
                  whole={data.events}
                  hint="Bots are excluded from reports."
                />
                <Excluded
                  label="Your own browsers"
                  views={data.excluded.own_browsers}
                  hint="Page views that do not count. Mark a browser below."
                />
                <Excluded
                  label="Excluded paths"
                  views={data.excluded.paths}
                  hint="Page views that do not count. Choose the paths in the tracker settings."
                />
              </ul>
            </Card>
            <OwnBrowser />
            <ConsentCounts />
            <Card title="Consent" note="What visitors refused, and what was not sent because of it." flush>
              <ul className="list">
                <Coverage
                  label="Global Privacy Control"
                  part={data.consent.gpc_events}
                  whole={data.events}
                  hint="Events of browsers that refuse the use for ads. Add an element with data-whence-gpc to your page to show these visitors that it was honored."
                />
                <Coverage
                  label="Refused use for ads"
                  part={data.consent.ads_denied_events}
                  whole={data.events}
                  hint="With this signal or by a choice on your site. Conversions of these people are not sent to ad platforms."
                />
                {data.consent.withheld.map(({ platform, conversions, value }) => (
                  <li key={platform} className="coverage">
                    <span className="grow">
                      <strong>{`Not sent to ${kindNames[platform]}`}</strong>
                      <span className="sub">Conversions of people who refused</span>
                    </span>
                    <span>
                      <strong>{count(conversions)}</strong>{' '}
                      <span className="faint">
                        {value === null ? '' : `worth ${money(value, profile.currency)}`}
                      </span>
                    </span>
                  </li>
                ))}
              </ul>
            </Card>
          </>
        )
      }}
    </Loaded>
  )
}

function Excluded({ label, views, hint }: { label: string; views: number; hint: string }) {
  return (
    <li className="coverage">
      <span className="grow">
        <strong>{label}</strong>
        <span className="sub">{hint}</span>
      </span>
      <strong>{count(views)}</strong>
    </li>
  )
}

function Coverage({
  label,
  part,
  whole,
  hint,
}: {
  label: string
  part: number
  whole: number
  hint: string
}) {
  const share = whole === 0 ? null : (part / whole) * 100
  return (
    <li className="coverage">
      <span className="grow">
        <strong>{label}</strong>
        <span className="sub">{hint}</span>
      </span>
      <span className="coverage-share">
        <strong>{percent(share, 0)}</strong>{' '}
        <span className="faint">{`${count(part)} of ${count(whole)}`}</span>
        <span className="progress" aria-hidden="true">
          <span style={{ width: `${share ?? 0}%` }} />
        </span>
      </span>
    </li>
  )
}
