import { getTrackingOps, getTrackingQuality } from '@whence/server/features/sources/tracking/contract.ts'
import { useProfileRead } from '../../api/profile.ts'
import { count, percent } from '../../format/numbers.ts'
import { agoText } from '../../format/times.ts'
import { Badge, type Tone } from '../../ui/badge.tsx'
import { Card } from '../../ui/card.tsx'
import { Loaded } from '../../ui/loaded.tsx'
import { Notice } from '../../ui/notice.tsx'
import { Stat } from '../../ui/stat.tsx'

const tones: Record<string, { tone: Tone; label: string }> = {
  healthy: { tone: 'good', label: 'Healthy' },
  attention: { tone: 'warn', label: 'Needs attention' },
  silent: { tone: 'plain', label: 'Silent' },
}

export function Quality() {
  const quality = useProfileRead(getTrackingQuality)
  const ops = useProfileRead(getTrackingOps).data?.data
  return (
    <Loaded query={quality}>
      {({ data }) => {
        const { tone, label } = tones[data.status]!
        const share = (part: number, whole: number) => (whole === 0 ? null : (part / whole) * 100)
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
                detail={`${percent(share(data.identified, data.visitors))} identified`}
              />
              <Stat
                label="With a click id"
                value={count(data.with_click_id)}
                detail="sessions from an ad click"
              />
              <Stat label="Naming an ad" value={count(data.with_ad)} detail="can be credited to that ad" />
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
          </>
        )
      }}
    </Loaded>
  )
}
