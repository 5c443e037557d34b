import { useQueries } from '@tanstack/react-query'
import { getUnattributed, listCampaigns } from '@whence/sdk'
import { useState } from 'react'
import { inProfile, useProfileContext } from '../../api/profile.ts'
import { readOptions } from '../../api/queries.ts'
import { money } from '../../format/numbers.ts'
import { type Level, levelNouns } from '../../names/levels.ts'
import { modelNames } from '../../names/models.ts'
import { useReport } from '../../report/use-report.ts'
import { type Model, models } from '../../search.ts'
import { Card } from '../../ui/card.tsx'
import { type Column, DataTable } from '../../ui/data-table.tsx'
import { Failure } from '../../ui/failure.tsx'
import { Heat } from '../../ui/heat.tsx'
import { SkeletonRows } from '../../ui/skeleton.tsx'
import type { Sort } from '../../ui/sort-rows.ts'
import { entityColumns } from './entity-columns.tsx'
import type { EntityRow } from './entity-link.tsx'
import { FootRow } from './figures-foot.tsx'
import { Reconciliation } from './reconciliation.tsx'

type Row = EntityRow & { spend: number | null; revenue: Partial<Record<Model, number | null>> }

/** The row's revenue relative to the model that credits it highest. */
function shareOfMost({ revenue }: Row, model: Model): number {
  const highest = Math.max(...models.map((one) => revenue[one] ?? 0))
  return highest > 0 ? (revenue[model] ?? 0) / highest : 0
}

/** The same revenue under five models; every column adds up to the same total. */
export function ModelsTable({ level }: { level: Level }) {
  const { profile } = useProfileContext()
  const { query } = useReport()
  const [sort, setSort] = useState<Sort>({ id: 'last_touch', descending: true })
  const reads = useQueries({
    queries: models.map((model) =>
      readOptions(listCampaigns, inProfile({ query: { ...query, model, level, limit: 100 } }, profile.id)),
    ),
  })
  const rests = useQueries({
    queries: models.map((model) =>
      readOptions(getUnattributed, inProfile({ query: { ...query, model, level } }, profile.id)),
    ),
  })
  const failed = reads.find((read) => read.isError)
  if (failed) return <Failure error={failed.error} retry={() => void failed.refetch()} />
  const replies = reads.map((read) => read.data)
  const ready = replies.every((reply) => reply !== undefined)

  const rows = new Map<string, Row>()
  replies.forEach((reply, index) => {
    for (const row of reply?.data ?? []) {
      const merged: Row = rows.get(row.campaign_id) ?? { ...row, revenue: {} }
      merged.revenue[models[index]!] = row.outcome_value
      rows.set(row.campaign_id, merged)
    }
  })
  const amount = (value: number | null | undefined) =>
    money(value === undefined ? 0 : value, profile.currency)
  const columns: Column<Row>[] = [
    ...entityColumns<Row>(level, profile.currency),
    ...models.map((model) => ({
      id: model,
      label: modelNames[model].name,
      title: modelNames[model].rule,
      number: true,
      value: (row: Row) => row.revenue[model] ?? 0,
      cell: (row: Row) => <Heat share={shareOfMost(row, model)}>{amount(row.revenue[model])}</Heat>,
    })),
  ]
  const ids = columns.map(({ id }) => id)
  const labels = Object.fromEntries(columns.map(({ id, label }) => [id, label]))
  const totals = Object.fromEntries(
    models.map((model, index) => [
      model,
      replies[index] ? amount(replies[index].meta.reconciliation.total) : '…',
    ]),
  )
  const unattributedCells = Object.fromEntries(
    models.map((model, index) => {
      const reply = rests[index]?.data
      return [model, reply ? amount(reply.data.outcome_value) : '…']
    }),
  )
  return (
    <Card
      title="Revenue by model"
      note="The stronger the tint, the closer a figure is to the highest of its row."
      foot={replies[0] ? <Reconciliation meta={replies[0].meta} level={level} /> : undefined}
      flush
    >
      {ready ? (
        <DataTable
          label={`Revenue of ${levelNouns[level]}s by model`}
          columns={columns}
          rows={[...rows.values()]}
          rowKey={(row) => row.campaign_id}
          cards
          sort={sort}
          onSort={setSort}
          foot={
            <>
              <FootRow
                columns={ids}
                labels={labels}
                name="Unattributed"
                hint="Revenue without a known ad"
                cells={unattributedCells}
              />
              <FootRow columns={ids} labels={labels} name="Total of the profile" cells={totals} />
            </>
          }
          linked
        />
      ) : (
        <SkeletonRows />
      )}
    </Card>
  )
}
