import { listRecommendations } from '@whence/sdk'
import { useState } from 'react'
import { useProfileContext } from '../../api/profile.ts'
import { useRead } from '../../api/queries.ts'
import { plural } from '../../format/numbers.ts'
import { ReportHealth } from '../../health/report-health.tsx'
import { Card } from '../../ui/card.tsx'
import { Empty } from '../../ui/empty.tsx'
import { Loaded } from '../../ui/loaded.tsx'
import { Page } from '../../ui/page.tsx'
import { Segmented } from '../../ui/segmented.tsx'
import { RecommendationCard } from './recommendation-card.tsx'

type Status = 'open' | 'applied' | 'dismissed'
const empty: Record<Status, string> = {
  open: 'No recommendations',
  applied: 'Nothing applied yet',
  dismissed: 'Nothing dismissed',
}

export function Recommendations() {
  const { profile, workspace } = useProfileContext()
  const [status, setStatus] = useState<Status>('open')
  const query = useRead(
    listRecommendations,
    { params: { workspaceId: workspace.id }, query: { status, profile_ids: profile.id } },
    { keep: true },
  )
  return (
    <Page
      title="Recommendations"
      note="A campaign is listed if it differs from similar ones by more than daily variation, with a probability of at least 90%, and was not changed for three days; an ad, if its clicks fell by more than chance explains and it is more likely than not better than similar ads. Outcomes are credited by last touch; campaigns for your own name are left out."
      actions={
        <Segmented
          label="Show"
          value={status}
          options={[
            { value: 'open', label: 'Open' },
            { value: 'applied', label: 'Applied' },
            { value: 'dismissed', label: 'Dismissed' },
          ]}
          onChange={setStatus}
        />
      }
    >
      <ReportHealth />
      <Loaded query={query}>
        {({ data, meta }) => (
          <>
            <PredictionRecord
              predictions={(meta as { predictions?: { scored: number; held: number } }).predictions}
            />
            {data.length === 0 ? (
              <Card>
                <Empty icon="recommendations" title={empty[status]}>
                  {status === 'open'
                    ? 'Campaigns are compared once a day, at 05:40 UTC. If they perform alike, there are no recommendations.'
                    : 'Your decisions are listed here.'}
                </Empty>
              </Card>
            ) : (
              data.map((row) => <RecommendationCard key={row.id} row={row} />)
            )}
          </>
        )}
      </Loaded>
    </Page>
  )
}

function PredictionRecord({ predictions }: { predictions: { scored: number; held: number } | undefined }) {
  if (predictions === undefined || predictions.scored === 0) return null
  return (
    <p className="muted">
      {predictions.held} of {plural(predictions.scored, 'earlier prediction')} came true; about 8 in 10 are
      expected to.
    </p>
  )
}
