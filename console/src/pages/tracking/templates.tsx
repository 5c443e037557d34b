import { getTrackingTemplates } from '@whence/sdk'
import { useProfileRead } from '../../api/profile.ts'
import { count } from '../../format/numbers.ts'
import { Badge, type Tone } from '../../ui/badge.tsx'
import { Card } from '../../ui/card.tsx'
import { CodeBlock } from '../../ui/copy.tsx'
import { Loaded } from '../../ui/loaded.tsx'

const states: Record<string, { tone: Tone; label: string }> = {
  waiting: { tone: 'plain', label: 'No paid click yet' },
  missing: { tone: 'bad', label: 'Not arriving' },
  partial: { tone: 'warn', label: 'Partly arriving' },
  arriving: { tone: 'good', label: 'Arriving' },
}

/** URL parameters for ad platforms. Without them, a click has no ad id and the ad gets no credit. */
export function Templates() {
  const templates = useProfileRead(getTrackingTemplates)
  return (
    <Card
      title="Ad links"
      note="Paste the line at each ad platform you use. It adds the campaign, ad set and ad to every click."
    >
      <Loaded query={templates}>
        {({ data }) => (
          <div className="stack">
            {data.map((row) => {
              const { tone, label } = states[row.state]!
              return (
                <div key={row.platform} className="stack">
                  <div>
                    <strong>{row.name}</strong> <Badge tone={tone}>{label}</Badge>
                  </div>
                  <span className="muted small">
                    {row.place}
                    {row.clicks === 0
                      ? ''
                      : ` · ${count(row.with_ad_id)} of ${count(row.clicks)} paid clicks had an ad id in the last seven days`}
                  </span>
                  <CodeBlock text={row.template} />
                </div>
              )
            })}
          </div>
        )}
      </Loaded>
    </Card>
  )
}
