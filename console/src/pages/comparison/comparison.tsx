import { comparePlatforms, type DataOf } from '@whence/sdk'
import { useState } from 'react'
import { useProfileContext, useProfileRead } from '../../api/profile.ts'
import { count, money } from '../../format/numbers.ts'
import { rangeText } from '../../format/times.ts'
import { type Level, levelNouns, levelOptions } from '../../names/levels.ts'
import { providerName } from '../../names/providers.ts'
import { ReportControls } from '../../report/controls.tsx'
import { Caveats } from '../../report/freshness.tsx'
import { useReport } from '../../report/use-report.ts'
import { Card } from '../../ui/card.tsx'
import { col } from '../../ui/columns.ts'
import { type Column, DataTable } from '../../ui/data-table.tsx'
import { Empty } from '../../ui/empty.tsx'
import { Loaded } from '../../ui/loaded.tsx'
import { Page } from '../../ui/page.tsx'
import { Segmented } from '../../ui/segmented.tsx'
import { Gap } from './gap.tsx'
import { PlatformCard } from './platform-card.tsx'

type Row = DataOf<typeof comparePlatforms>['rows'][number]

/** Rows that are not assigned hold what a platform reports in addition to the entities of the level. */
function nameOf(row: Row): string {
  return row.kind === 'not_assigned'
    ? `Not assigned to any ${levelNouns[row.entity_level]}`
    : (row.name ?? row.platform_id ?? '')
}

/** Platform figures next to ours, and the difference. The two are never added. */
export function Comparison() {
  const { profile } = useProfileContext()
  const { query, range } = useReport()
  const [level, setLevel] = useState<Level>('campaign')
  const comparison = useProfileRead(comparePlatforms, { query: { ...query, level } }, { keep: true })
  const amount = (value: number | string | null) => money(value, profile.currency)
  const columns: Column<Row>[] = [
    {
      id: 'name',
      label: 'Name',
      value: (row) => nameOf(row),
      cell: (row) => (
        <>
          {nameOf(row)}
          <span className="sub">{providerName(row.platform)}</span>
        </>
      ),
    },
    {
      id: 'spend',
      label: 'Spend',
      number: true,
      value: (row) => row.spend,
      cell: (row) => amount(row.spend),
    },
    {
      id: 'theirs',
      title: 'Conversions as the platform reports them',
      label: 'Platform',
      number: true,
      value: (row) => row.platform_conversions,
      cell: (row) => count(row.platform_conversions),
    },
    {
      id: 'ours',
      title: 'Conversions credited here under the model',
      label: 'Whence',
      number: true,
      value: (row) => row.atribu_conversions,
      cell: (row) => count(row.atribu_conversions),
    },
    {
      id: 'gap',
      label: 'Gap',
      number: true,
      value: (row) => row.conversion_gap,
      cell: (row) => <Gap value={row.conversion_gap} share={row.conversion_gap_pct} />,
    },
    {
      id: 'their_value',
      label: 'Platform value',
      number: true,
      value: (row) => (row.platform_conversion_value === null ? null : Number(row.platform_conversion_value)),
      cell: (row) => amount(row.platform_conversion_value),
    },
    {
      id: 'our_value',
      label: 'Whence cash',
      number: true,
      value: (row) => (row.atribu_cash_revenue === null ? null : Number(row.atribu_cash_revenue)),
      cell: (row) => amount(row.atribu_cash_revenue),
    },
    col.ratio('their_roas', 'Platform ROAS', (row) => row.platform_roas),
    col.ratio('our_roas', 'Whence ROAS', (row) => row.atribu_roas),
  ]
  return (
    <Page
      title="Platform comparison"
      note={`${rangeText(range.from, range.to)}. Conversions reported by the platforms next to those in Whence. A negative gap means that the platform reports more.`}
      actions={<ReportControls />}
    >
      <Loaded query={comparison}>
        {(reply) => (
          <>
            <Caveats meta={reply.meta} />
            {reply.data.platforms.length === 0 ? (
              <Card>
                <Empty icon="compare" title="Nothing to compare in these days">
                  Connect an ad account, or choose days with ads.
                </Empty>
              </Card>
            ) : (
              <div className="platforms">
                {reply.data.platforms.map((platform) => (
                  <PlatformCard
                    key={platform.platform}
                    platform={platform}
                    currency={profile.currency}
                    level={level}
                  />
                ))}
              </div>
            )}
            {reply.data.platforms.length + reply.data.rows.length === 0 ? null : (
              <Card
                title="Details"
                actions={<Segmented label="Level" value={level} options={levelOptions} onChange={setLevel} />}
                flush
              >
                <DataTable
                  label="Comparison in detail"
                  columns={columns}
                  rows={reply.data.rows}
                  rowKey={(row) => row.entity_id ?? `not assigned ${row.platform}`}
                  initialSort={{ id: 'spend', descending: true }}
                  cards
                />
              </Card>
            )}
          </>
        )}
      </Loaded>
    </Page>
  )
}
