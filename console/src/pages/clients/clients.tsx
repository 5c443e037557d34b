import { useNavigate, useSearch } from '@tanstack/react-router'
import { listClients } from '@whence/sdk'
import { useState } from 'react'
import { useProfileContext } from '../../api/profile.ts'
import { useRead } from '../../api/queries.ts'
import { count, ratio, wholeMoney } from '../../format/numbers.ts'
import { rangeText } from '../../format/times.ts'
import { ReportControls } from '../../report/controls.tsx'
import { Delta } from '../../report/delta.tsx'
import { useReport } from '../../report/use-report.ts'
import type { ClientsSearch } from '../../search.ts'
import { NewProfile } from '../../shell/new-profile.tsx'
import { Button } from '../../ui/button.tsx'
import { Card } from '../../ui/card.tsx'
import { DataTable } from '../../ui/data-table.tsx'
import { Empty } from '../../ui/empty.tsx'
import { Icon } from '../../ui/icon.tsx'
import { Loaded } from '../../ui/loaded.tsx'
import { Page } from '../../ui/page.tsx'
import { Stat } from '../../ui/stat.tsx'
import { BulkBar } from './bulk-bar.tsx'
import { type Client, clientColumns } from './client-columns.tsx'
import { sumClients, type Totals } from './totals.ts'

/** Every client of the workspace in one table. */
export function Clients() {
  const { workspace, profiles } = useProfileContext()
  const { query, range } = useReport()
  const search = useSearch({ from: '/p/$profileId/clients' })
  const navigate = useNavigate({ from: '/p/$profileId/clients' })
  const change = (next: Partial<ClientsSearch>) =>
    void navigate({ search: (before) => ({ ...before, ...next }), replace: true })
  const [selected, setSelected] = useState<ReadonlySet<string>>(new Set())
  const clients = useRead(
    listClients,
    {
      params: { workspaceId: workspace.id },
      query: { ...query, ...(search.currency ? { currency: search.currency } : {}) },
    },
    { keep: true },
  )
  const currencies = [
    ...new Set(
      profiles.flatMap((profile) => (profile.workspace_id === workspace.id ? profile.currency : [])),
    ),
  ].sort()
  const isAdmin = workspace.role === 'owner' || workspace.role === 'admin'
  const [isCreating, setCreating] = useState(false)
  const canEdit = workspace.role !== null && workspace.role !== 'viewer'
  const checkbox = (row: Client) => (
    <input
      type="checkbox"
      aria-label={`Select ${row.name}`}
      checked={selected.has(row.profile_id)}
      onChange={() => {
        const next = new Set(selected)
        if (!next.delete(row.profile_id)) next.add(row.profile_id)
        setSelected(next)
      }}
    />
  )
  return (
    <Page
      title="All clients"
      note={`${workspace.name}, ${rangeText(range.from, range.to)}. Days follow each client’s time zone.`}
      actions={
        <>
          <ReportControls />
          {isAdmin ? (
            <Button kind="primary" onClick={() => setCreating(true)}>
              <Icon name="plus" size={16} />
              New client
            </Button>
          ) : null}
        </>
      }
    >
      {isCreating ? (
        <NewProfile
          onClose={() => setCreating(false)}
          onCreated={(profileId) => void navigate({ to: '/p/$profileId/setup', params: { profileId } })}
        />
      ) : null}
      <Loaded query={clients}>
        {({ data }) => {
          const visibleRows = data.filter((row) => isShown(row, search))
          const rows = data.filter((row) => selected.has(row.profile_id))
          const isMixed = new Set(data.map((row) => row.currency)).size > 1
          const tags = [...new Set(data.flatMap((row) => row.tags))].sort()
          return (
            <>
              <Headline totals={sumClients(visibleRows)} count={visibleRows.length} days={range} />
              <Card
                title={
                  visibleRows.length < data.length ? `${visibleRows.length} of ${data.length}` : 'Clients'
                }
                note="Click a client to open its Overview, or a badge or number to open its details."
                flush
              >
                <div className="report-filters">
                  <input
                    className="input"
                    type="search"
                    placeholder="Search clients and tags"
                    aria-label="Search clients and tags"
                    value={search.q ?? ''}
                    onChange={(event) => change({ q: event.target.value || undefined })}
                  />
                  <Pick
                    label="Tag"
                    none="Any tag"
                    value={search.tag}
                    options={tags}
                    onChange={(tag) => change({ tag })}
                  />
                  <Pick
                    label="Currency"
                    none={isMixed ? 'Own currencies' : 'Reporting currency'}
                    value={search.currency}
                    options={currencies}
                    onChange={(currency) => change({ currency })}
                  />
                </div>
                {isMixed ? (
                  <p className="muted small filters-note">
                    Amounts are in several currencies and sorted within each. Choose one currency to compare
                    and total them, or set a reporting currency in Settings.
                  </p>
                ) : null}
                {rows.length > 0 ? (
                  <BulkBar
                    profileIds={rows.map((row) => row.profile_id)}
                    tags={[...new Set(rows.flatMap((row) => row.tags))].sort()}
                    onClear={() => setSelected(new Set())}
                  />
                ) : null}
                {visibleRows.length > 0 ? (
                  <DataTable
                    label="Clients"
                    columns={clientColumns(canEdit ? checkbox : undefined)}
                    rows={visibleRows}
                    rowKey={(row) => row.profile_id}
                    sort={{ id: search.sort ?? 'revenue', descending: !search.up }}
                    onSort={({ id, descending }) => change({ sort: id, up: descending ? undefined : true })}
                    linked
                    cards
                  />
                ) : (
                  <Empty icon="overview" title="No client matches">
                    Change the search or the tag.
                  </Empty>
                )}
              </Card>
            </>
          )
        }}
      </Loaded>
    </Page>
  )
}

function isShown(row: Client, { q, tag }: ClientsSearch): boolean {
  if (tag && !row.tags.includes(tag)) return false
  const searchWords = (q ?? '').toLowerCase().split(/\s+/)
  const text = [row.name, ...row.tags].join(' ').toLowerCase()
  return searchWords.every((word) => text.includes(word))
}

function Headline({
  totals,
  count: clients,
  days,
}: {
  totals: Totals | null
  count: number
  days: { from: string; to: string }
}) {
  if (totals === null || clients === 0) return null
  const { currency, now, before } = totals
  const length = Math.round((Date.parse(days.to) - Date.parse(days.from)) / 86_400_000) + 1
  const period = `previous ${length === 1 ? 'day' : `${length} days`}`
  const delta = (name: 'spend' | 'revenue' | 'payments' | 'total_roas' | 'roas') => (
    <Delta now={now[name]} before={before[name]} neutral={name === 'spend'} period={period} />
  )
  return (
    <dl className="grid-stats">
      <Stat label="Spend" value={wholeMoney(now.spend, currency)} detail={delta('spend')} />
      <Stat label="Revenue" value={wholeMoney(now.revenue, currency)} detail={delta('revenue')} />
      <Stat label="Total ROAS" value={ratio(now.total_roas)} detail={delta('total_roas')} />
      <Stat label="Ad ROAS" value={ratio(now.roas)} detail={delta('roas')} />
      <Stat label="Payments" value={count(now.payments)} detail={delta('payments')} />
    </dl>
  )
}

function Pick({
  label,
  none,
  value,
  options,
  onChange,
}: {
  label: string
  none: string
  value: string | undefined
  options: readonly string[]
  onChange: (value: string | undefined) => void
}) {
  if (options.length < (label === 'Tag' ? 1 : 2) && !value) return null
  return (
    <select
      className="select small"
      aria-label={label}
      value={value ?? ''}
      onChange={(event) => onChange(event.target.value || undefined)}
    >
      <option value="">{none}</option>
      {options.map((option) => (
        <option key={option}>{option}</option>
      ))}
    </select>
  )
}
