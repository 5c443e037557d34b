import { useNavigate, useSearch } from '@tanstack/react-router'
import { getUnattributed } from '@whence/sdk'
import { useProfileContext, useProfileRead } from '../../api/profile.ts'
import { saveFile } from '../../api/save-file.ts'
import { count, plural } from '../../format/numbers.ts'
import { type Level, levelNouns } from '../../names/levels.ts'
import { providerName, sentence } from '../../names/providers.ts'
import { ChangedSince } from '../../report/changed-since.tsx'
import { Caveats } from '../../report/freshness.tsx'
import { useReport } from '../../report/use-report.ts'
import type { CampaignSearch } from '../../search.ts'
import { Button } from '../../ui/button.tsx'
import { Card } from '../../ui/card.tsx'
import { DataTable } from '../../ui/data-table.tsx'
import { Empty } from '../../ui/empty.tsx'
import { Icon } from '../../ui/icon.tsx'
import { Loaded } from '../../ui/loaded.tsx'
import { type AdRow, useAdRows, useRowsBefore } from './ad-rows.ts'
import { ColumnPicker } from './column-picker.tsx'
import { toCsv } from './csv.ts'
import { figureColumns } from './figure-columns.tsx'
import { FiguresFoot, type Total } from './figures-foot.tsx'
import { FilterBar } from './filter-bar.tsx'
import { matchesFilters, readFilters, writeFilters } from './filters.ts'
import { Reconciliation } from './reconciliation.tsx'
import { RowActions } from './row-actions.tsx'
import { SavedViews } from './saved-views.tsx'
import { useSpendDays } from './use-spend-days.ts'

/** Table of campaigns, ad sets or ads with search, filters, a choice of columns and row actions. */
export function AdsReport({ level, parentId }: { level: Level; parentId?: string }) {
  const { profile } = useProfileContext()
  const { query, range, model } = useReport()
  const search = useSearch({ from: '/p/$profileId/campaigns' })
  const navigate = useNavigate({ from: '/p/$profileId/campaigns' })
  const change = (next: Partial<CampaignSearch>) =>
    void navigate({ search: (before) => ({ ...before, ...next }), replace: true })
  const { pages, rows, first, rowCount } = useAdRows(level, parentId)
  const before = useRowsBefore(level, parentId, first !== undefined)
  const unattributed = useProfileRead(getUnattributed, { query: { ...query, level } }, { keep: true })
  const spendDays = useSpendDays(level, rows)
  const isDivided = model === 'linear' || model === 'time_decay'
  const all = figureColumns(level, profile.currency, isDivided, rows, {
    isInside: parentId !== undefined,
    before: before?.byId,
    spendDays,
  })
  const defaultIds = all.filter((column) => column.isDefault).map(({ id }) => id)
  const chosen = search.cols?.split(',') ?? defaultIds
  const columns = [
    ...all.filter(({ id }) => id === 'name' || chosen.includes(id)),
    {
      id: 'actions',
      label: '',
      number: true,
      cell: (row: AdRow) => <RowActions row={row} level={level} />,
    },
  ]
  const filters = readFilters(search.where)
  const visibleRows = rowsShown(rows, search, (row, column) => {
    const value = all.find(({ id }) => id === column)?.value?.(row)
    return typeof value === 'number' ? value : null
  })
  const noun = levelNouns[level]
  const valuesOf = (select: (row: AdRow) => string | null | undefined) =>
    [...new Set(rows.map(select).filter((value) => value != null))].sort()
  return (
    <>
      {first && !parentId ? <Caveats meta={first.meta} /> : null}
      {parentId ? null : <ChangedSince level={level} />}
      <Card
        title={
          parentId
            ? `${noun.charAt(0).toUpperCase()}${noun.slice(1)}s in this ${level === 'ad' ? 'ad set' : 'campaign'}`
            : `All ${noun}s`
        }
        note={noteOf(rows.length, rowCount, visibleRows.length)}
        actions={
          <>
            {parentId ? null : <SavedViews search={search} onOpen={change} />}
            <ColumnPicker
              columns={all.filter(({ id }) => id !== 'name')}
              shown={chosen}
              onChange={(next) => change({ cols: next.join(',') || 'none' })}
              onReset={() => change({ cols: undefined })}
            />
            <Button
              small
              disabled={
                rows.length < rowCount || !first || !unattributed.isSuccess || unattributed.isPlaceholderData
              }
              onClick={() =>
                saveFile(
                  `${profile.name} ${level} ${model} ${range.from} ${range.to}.csv`,
                  new Blob([toCsv(rows, unattributed.data?.data, profile.currency)], { type: 'text/csv' }),
                )
              }
            >
              <Icon name="download" size={15} />
              Download CSV
            </Button>
          </>
        }
        foot={first && !parentId ? <Reconciliation meta={first.meta} level={level} /> : undefined}
        flush
      >
        <div className="report-filters">
          <input
            className="input"
            type="search"
            placeholder={`Search ${noun}s`}
            aria-label={`Search ${noun}s`}
            value={search.q ?? ''}
            onChange={(event) => change({ q: event.target.value || undefined })}
          />
          <Pick
            label="Status"
            value={search.status}
            options={valuesOf((row) => row.status)}
            nameOf={(status) => sentence(status.toLowerCase())}
            onChange={(status) => change({ status })}
          />
          <Pick
            label="Platform"
            value={search.platform}
            options={valuesOf((row) => row.platform)}
            nameOf={providerName}
            onChange={(platform) => change({ platform })}
          />
          {search.only ? (
            <Button small aria-label={`Show all ${noun}s`} onClick={() => change({ only: undefined })}>
              {plural(search.only.split(',').length, `chosen ${noun}`)}
              <Icon name="close" size={13} />
            </Button>
          ) : null}
          <FilterBar
            columns={all.filter((column) => column.number)}
            filters={filters}
            onChange={(next) => change({ where: writeFilters(next) })}
          />
        </div>
        <Loaded query={pages}>
          {() => (
            <>
              <DataTable
                label={`${noun}s`}
                columns={columns}
                rows={visibleRows}
                rowKey={(row) => row.campaign_id}
                sort={{ id: search.sort ?? 'revenue', descending: !search.up }}
                onSort={({ id, descending }) => change({ sort: id, up: descending ? undefined : true })}
                foot={
                  <FiguresFoot
                    rows={rows}
                    shown={visibleRows}
                    isWhole={rows.length >= rowCount}
                    total={first?.total as Total}
                    before={before}
                    isDivided={isDivided}
                    unattributed={unattributed.data?.data}
                    openId={parentId}
                    noun={noun}
                    columns={columns.map(({ id }) => id)}
                    labels={Object.fromEntries(columns.map(({ id, label }) => [id, label]))}
                  />
                }
                linked
                cards
              />
              {visibleRows.length > 0 ? null : rows.length > 0 ? (
                <Empty icon="campaigns" title={`No ${noun} matches`}>
                  Change the search or the filters.
                </Empty>
              ) : (
                <Empty icon="campaigns" title={`No ${noun} with spend or revenue in these days`}>
                  Choose other dates, or connect an ad account.
                </Empty>
              )}
            </>
          )}
        </Loaded>
      </Card>
    </>
  )
}

function noteOf(loaded: number, rowCount: number, visibleCount: number): string | undefined {
  if (loaded < rowCount) return `Loading: ${count(loaded)} of ${count(rowCount)} so far`
  return visibleCount < loaded ? `${count(visibleCount)} of ${count(loaded)}` : undefined
}

function rowsShown(
  rows: readonly AdRow[],
  search: CampaignSearch,
  figure: (row: AdRow, column: string) => number | null,
): readonly AdRow[] {
  const filters = readFilters(search.where)
  const searchText = (search.q ?? '').toLowerCase()
  const only = search.only === undefined ? undefined : new Set(search.only.split(','))
  return rows.filter(
    (row) =>
      (only === undefined || only.has(row.campaign_id) || only.has(row.platform_id)) &&
      (searchText === '' ||
        [row.campaign_name, row.platform_id, row.parent_name, row.campaign].some((text) =>
          text?.toLowerCase().includes(searchText),
        )) &&
      (!search.status || row.status === search.status) &&
      (!search.platform || row.platform === search.platform) &&
      matchesFilters(filters, (column) => figure(row, column)),
  )
}

function Pick({
  label,
  value,
  options,
  nameOf,
  onChange,
}: {
  label: string
  value: string | undefined
  options: readonly string[]
  nameOf: (option: string) => string
  onChange: (value: string | undefined) => void
}) {
  if (options.length < 2 && !value) return null
  return (
    <select
      className="select small"
      aria-label={label}
      value={value ?? ''}
      onChange={(event) => onChange(event.target.value || undefined)}
    >
      <option value="">{`Any ${label.toLowerCase()}`}</option>
      {options.map((option) => (
        <option key={option} value={option}>
          {nameOf(option)}
        </option>
      ))}
    </select>
  )
}
