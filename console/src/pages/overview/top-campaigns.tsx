import { Link } from '@tanstack/react-router'
import { listCampaigns } from '@whence/sdk'
import { useProfileContext, useProfileRead } from '../../api/profile.ts'
import { count, knownSpend, money, ratio } from '../../format/numbers.ts'
import { modelNames } from '../../names/models.ts'
import type { Report } from '../../report/report.ts'
import { useReport } from '../../report/use-report.ts'
import { buttonClass } from '../../ui/button.tsx'
import { Card } from '../../ui/card.tsx'
import { type Column, DataTable } from '../../ui/data-table.tsx'
import { Empty } from '../../ui/empty.tsx'
import { Loaded } from '../../ui/loaded.tsx'

type Row = {
  campaign_id: string
  campaign_name: string | null
  platform_id: string
  spend: number | null
  outcome_value: number | null
  outcome_count: number
  roas: number | null
}

export const bestCampaigns = ({ query }: Pick<Report, 'query'>) => ({ query: { ...query, limit: 5 } })

/** The campaigns with the most credited revenue. */
export function TopCampaigns() {
  const { profile } = useProfileContext()
  const report = useReport()
  const { model } = report
  const campaigns = useProfileRead(listCampaigns, bestCampaigns(report), { keep: true })
  const params = { profileId: profile.id }
  const columns: Column<Row>[] = [
    {
      id: 'name',
      label: 'Campaign',
      cell: (row) => (
        <Link
          to="/p/$profileId/campaigns"
          params={params}
          search={(before) => ({ ...before, campaign: row.campaign_id })}
        >
          {row.campaign_name ?? row.platform_id}
        </Link>
      ),
    },
    {
      id: 'spend',
      label: 'Spend',
      number: true,
      cell: (row) => money(knownSpend(row.spend), profile.currency),
    },
    {
      id: 'revenue',
      label: 'Revenue',
      number: true,
      cell: (row) => money(row.outcome_value, profile.currency),
    },
    { id: 'payments', label: 'Payments', number: true, cell: (row) => count(row.outcome_count) },
    { id: 'roas', label: 'ROAS', number: true, cell: (row) => ratio(row.roas) },
  ]
  return (
    <Card
      title="Best campaigns"
      note={`By credited revenue, ${modelNames[model].name.toLowerCase()}`}
      actions={
        <Link
          to="/p/$profileId/campaigns"
          params={params}
          search={(before) => before}
          className={buttonClass({ small: true })}
        >
          All campaigns
        </Link>
      }
      flush
    >
      <Loaded query={campaigns}>
        {({ data }) =>
          data.length === 0 ? (
            <Empty icon="campaigns" title="No campaign with spend or revenue in these days">
              Choose other dates, or connect an ad account.
            </Empty>
          ) : (
            <DataTable
              label="Best campaigns"
              columns={columns}
              rows={data}
              rowKey={(row) => row.campaign_id}
            />
          )
        }
      </Loaded>
    </Card>
  )
}
