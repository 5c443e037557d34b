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
  partial: { tone: 'warn', label: 'Arriving in part' },
  arriving: { tone: 'good', label: 'Arriving' },
}

/** Without these an ad platform sends a click that names no ad, and the ad earns nothing. */
export function Templates() {
  const templates = useProfileRead(getTrackingTemplates)
  return (
    <Card
      title="Ad links"
      note="Paste the line at each ad platform you use. It makes every click name its campaign, ad set and ad."
    >
      <Loaded query={templates}>
        {({ data }) => (
          <div className="stack">
            {data.map((one) => {
              const { tone, label } = states[one.state]!
              return (
                <div key={one.platform} className="stack">
                  <div>
                    <strong>{one.name}</strong> <Badge tone={tone}>{label}</Badge>
                  </div>
                  <span className="muted small">
                    {one.place}
                    {one.clicks === 0
                      ? ''
                      : ` · ${count(one.with_ad_id)} of ${count(one.clicks)} paid clicks named their ad in the last seven days`}
                  </span>
                  <CodeBlock text={one.template} />
                </div>
              )
            })}
          </div>
        )}
      </Loaded>
    </Card>
  )
}
