import { getPacing } from '@whence/server/features/pacing/contract.ts'
import { useState } from 'react'
import { usePlace } from '../../api/profile.ts'
import { useRead } from '../../api/queries.ts'
import { monthText, today } from '../../format/times.ts'
import { ReportHealth } from '../../health/report-health.tsx'
import { Card } from '../../ui/card.tsx'
import { Empty } from '../../ui/empty.tsx'
import { Choice } from '../../ui/field.tsx'
import { Loaded } from '../../ui/loaded.tsx'
import { Page } from '../../ui/page.tsx'
import { ProviderPacing } from './provider-pacing.tsx'

/** This month and the five before it. */
function monthsUntil(day: string): string[] {
  const [year, month] = day.split('-').map(Number) as [number, number]
  return Array.from({ length: 6 }, (_, back) =>
    new Date(Date.UTC(year, month - 1 - back, 1)).toISOString().slice(0, 7),
  )
}

export function Pacing() {
  const { profile, workspace } = usePlace()
  const months = monthsUntil(today(profile.timezone))
  const [month, setMonth] = useState(months[0]!)
  const pacing = useRead(
    getPacing,
    { params: { workspaceId: workspace.id }, query: { month, profile_ids: profile.id } },
    { keep: true },
  )
  return (
    <Page
      title="Pacing"
      note="Where the month’s spend is going. The forecast knows weekdays and does not believe today and the two days before it, which platforms still correct."
      actions={
        <Choice
          label="Month"
          value={month}
          onChange={(event) => setMonth(event.target.value)}
          options={months.map((value) => ({ value, label: monthText(`${value}-01`) }))}
        />
      }
    >
      <ReportHealth />
      <Loaded query={pacing}>
        {({ data }) =>
          data.length === 0 ? (
            <Card>
              <Empty icon="pacing" title="No spend and no budget in this month">
                Connect an ad account, or import spend, to see where the month is going.
              </Empty>
            </Card>
          ) : (
            data.map((row) => <ProviderPacing key={row.provider} row={row} />)
          )
        }
      </Loaded>
    </Page>
  )
}
