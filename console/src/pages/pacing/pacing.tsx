import { getPacing } from '@whence/sdk'
import { useState } from 'react'
import { useProfileContext } from '../../api/profile.ts'
import { useRead } from '../../api/queries.ts'
import { monthText, today } from '../../format/times.ts'
import { ReportHealth } from '../../health/report-health.tsx'
import { NotesButton } from '../../report/notes.tsx'
import { Card } from '../../ui/card.tsx'
import { Empty } from '../../ui/empty.tsx'
import { Loaded } from '../../ui/loaded.tsx'
import { Page } from '../../ui/page.tsx'
import { ProviderPacing } from './provider-pacing.tsx'

/** This month and the previous five. */
function monthsUntil(day: string): string[] {
  const [year, month] = day.split('-').map(Number) as [number, number]
  return Array.from({ length: 6 }, (_, back) =>
    new Date(Date.UTC(year, month - 1 - back, 1)).toISOString().slice(0, 7),
  )
}

function lastDayOf(month: string): string {
  const [year, number] = month.split('-').map(Number) as [number, number]
  return new Date(Date.UTC(year, number, 0)).toISOString().slice(0, 10)
}

export function Pacing() {
  const { profile, workspace } = useProfileContext()
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
      note="Forecast of the month’s spend. It follows weekdays and ignores the last three days, which platforms still correct."
      actions={
        <>
          <select
            className="select small"
            aria-label="Month"
            value={month}
            onChange={(event) => setMonth(event.target.value)}
          >
            {months.map((value) => (
              <option key={value} value={value}>
                {monthText(`${value}-01`)}
              </option>
            ))}
          </select>
          <NotesButton days={{ from: `${month}-01`, to: lastDayOf(month) }} />
        </>
      }
    >
      <ReportHealth />
      <Loaded query={pacing}>
        {({ data }) =>
          data.length === 0 ? (
            <Card>
              <Empty icon="pacing" title="No spend and no budget in this month">
                Connect an ad account or import spend to see a forecast.
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
