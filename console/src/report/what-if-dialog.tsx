import { type DataOf, type InputOf, whatIf } from '@whence/sdk'
import { addDays } from '@whence/server/platform/contract/dates.ts'
import { localDay } from '@whence/server/platform/contract/zones.ts'
import { useState } from 'react'
import { useProfileContext, useProfileRead } from '../api/profile.ts'
import { count, money } from '../format/numbers.ts'
import { modelNames } from '../names/models.ts'
import { channelName } from '../names/providers.ts'
import type { Model } from '../search.ts'
import { type Column, DataTable } from '../ui/data-table.tsx'
import { Dialog } from '../ui/dialog.tsx'
import { Choice } from '../ui/field.tsx'
import { Loaded } from '../ui/loaded.tsx'

type Answer = DataOf<typeof whatIf>
type Row = Pick<Answer['total'], 'before' | 'after' | 'value_change'> & { name: string }
export type WhatIfChanges = Pick<
  InputOf<typeof whatIf>['query'],
  'lookback_days' | 'first_touch_lookback_days' | 'half_life_days' | 'channel_rules'
>

const DAYS = 90

/** Shows the last 90 days with settings that are not saved yet. */
export function WhatIfDialog({ changes, onClose }: { changes: WhatIfChanges; onClose: () => void }) {
  const { profile } = useProfileContext()
  const [model, setModel] = useState<Model>('last_touch')
  const today = localDay(new Date(), profile.timezone)
  const range = { date_from: addDays(today, 1 - DAYS), date_to: today }
  const answer = useProfileRead(whatIf, { query: { ...range, model, ...changes } })
  return (
    <Dialog
      open
      onClose={onClose}
      title="What would change"
      note={`The last ${DAYS} days with the current rules and with this change. Nothing is saved yet.`}
      wide
    >
      <div className="stack">
        <Choice
          label="Model"
          value={model}
          onChange={(event) => setModel(event.target.value as Model)}
          options={Object.entries(modelNames).map(([value, { name }]) => ({ value, label: name }))}
        />
        <Loaded query={answer}>{({ data }) => <Comparison answer={data} />}</Loaded>
      </div>
    </Dialog>
  )
}

function Comparison({ answer }: { answer: Answer }) {
  const channels = answer.channels
    .filter(({ value_change }) => value_change !== 0)
    .map(({ channel, ...row }) => ({ ...row, name: channelName(channel) }))
  const campaigns = answer.campaigns.map(({ campaign, ...row }) => ({
    ...row,
    name: campaign.name ?? campaign.platform_id,
  }))
  const hasUnattributedChange = answer.no_campaign.value_change !== 0
  const unattributedRow = hasUnattributedChange ? [{ ...answer.no_campaign, name: 'No campaign' }] : []
  if (channels.length + campaigns.length + unattributedRow.length === 0)
    return <p className="sub">No figures change in these days.</p>
  return (
    <>
      {campaigns.length + unattributedRow.length > 0 ? (
        <ComparisonTable label="Campaign" rows={[...campaigns, ...unattributedRow]} />
      ) : (
        <p className="sub">No campaigns change.</p>
      )}
      {channels.length > 0 ? <ComparisonTable label="Channel" rows={channels} /> : null}
    </>
  )
}

function ComparisonTable({ label, rows }: { label: string; rows: readonly Row[] }) {
  const { profile } = useProfileContext()
  const amount = (value: number | null) => money(value, profile.currency)
  const columns: Column<Row>[] = [
    { id: 'name', label, value: (row) => row.name, cell: (row) => row.name },
    {
      id: 'before',
      label: 'Current revenue',
      number: true,
      value: (row) => row.before.outcome_value,
      cell: (row) => amount(row.before.outcome_value),
    },
    {
      id: 'after',
      label: 'With the change',
      number: true,
      value: (row) => row.after.outcome_value,
      cell: (row) => amount(row.after.outcome_value),
    },
    {
      id: 'change',
      label: 'Difference',
      number: true,
      value: (row) => row.value_change,
      cell: (row) => `${(row.value_change ?? 0) > 0 ? '+' : ''}${amount(row.value_change)}`,
    },
    {
      id: 'payments',
      label: 'Payments',
      number: true,
      value: (row) => row.after.outcome_count,
      cell: (row) => `${count(row.before.outcome_count)} → ${count(row.after.outcome_count)}`,
    },
  ]
  return (
    <DataTable label={`${label}s that change`} columns={columns} rows={rows} rowKey={(row) => row.name} />
  )
}
