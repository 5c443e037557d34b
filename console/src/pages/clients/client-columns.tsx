import { Link } from '@tanstack/react-router'
import type { DataOf, listClients } from '@whence/sdk'
import type { ReactNode } from 'react'
import { count, money, NONE, percent, ratio } from '../../format/numbers.ts'
import { dayText, today } from '../../format/times.ts'
import { Change } from '../../report/change.tsx'
import { Badge, type Tone } from '../../ui/badge.tsx'
import type { Column } from '../../ui/data-table.tsx'

export type Client = DataOf<typeof listClients>[number]
type Figure = 'spend' | 'revenue' | 'total_roas' | 'roas' | 'payments'

const health: Record<Client['health']['status'], { label: string; tone: Tone; rank: number }> = {
  problem: { label: 'Problem', tone: 'bad', rank: 3 },
  warning: { label: 'Warning', tone: 'warn', rank: 2 },
  ok: { label: 'Healthy', tone: 'good', rank: 0 },
  unknown: { label: 'Not checked', tone: 'plain', rank: 1 },
}

const pacing: Record<NonNullable<Client['pacing']>['status'], { label: string; tone: Tone }> = {
  under: { label: 'Under', tone: 'warn' },
  on: { label: 'On budget', tone: 'good' },
  over: { label: 'Over', tone: 'bad' },
  no_budget: { label: 'No budget', tone: 'plain' },
}

const reportStates: Record<string, string> = {
  ready: 'ready',
  awaiting_approval: 'waiting for approval',
  sent: 'sent',
}

const currencyOf = ({ currency }: Client) => currency

/** `select` renders a row's checkbox; without it, rows cannot be selected. */
export function clientColumns(select?: (row: Client) => ReactNode): Column<Client>[] {
  const figure = (
    id: Figure,
    label: string,
    text: (row: Client, value: number | null) => string,
    options: Pick<Column<Client>, 'title' | 'group'> & { neutral?: boolean } = {},
  ): Column<Client> => ({
    id,
    label,
    number: true,
    ...(options.title ? { title: options.title } : {}),
    ...(options.group ? { group: options.group } : {}),
    value: (row) => row[id],
    cell: (row) => (
      <>
        {row[id] === 0 && id === 'spend' ? NONE : text(row, row[id])}
        <Change now={row[id]} before={row.previous[id]} neutral={options.neutral ?? false} />
      </>
    ),
  })
  return [
    {
      id: 'name',
      label: 'Client',
      value: (row) => row.name,
      cell: (row) => (
        <span className="client-name">
          {select?.(row)}
          <span>
            <Link
              to="/p/$profileId/overview"
              params={{ profileId: row.profile_id }}
              search={(before) => ({
                from: before.from,
                to: before.to,
                preset: before.preset,
                model: before.model,
              })}
            >
              {row.name}
            </Link>
            <span className="sub">
              {row.is_demo ? 'Demo · ' : ''}
              {row.tags.length > 0 ? row.tags.join(' · ') : row.currency}
            </span>
          </span>
        </span>
      ),
    },
    figure('spend', 'Spend', (row, value) => money(value, row.currency), {
      neutral: true,
      group: currencyOf,
    }),
    figure('revenue', 'Revenue', (row, value) => money(value, row.currency), {
      title: 'All cash, refunds subtracted',
      group: currencyOf,
    }),
    figure('total_roas', 'Total ROAS', (_, value) => ratio(value), { title: 'Revenue ÷ spend' }),
    figure('roas', 'Ad ROAS', (_, value) => ratio(value), { title: 'Revenue credited to ads ÷ spend' }),
    figure('payments', 'Payments', (_, value) => count(value)),
    {
      id: 'pacing',
      label: 'Pacing',
      title: 'This month’s spend compared with the budget for the days so far',
      value: (row) => row.pacing?.pacing_pct ?? null,
      cell: ({ pacing: current, profile_id }) =>
        current === null ? (
          NONE
        ) : (
          <Link to="/p/$profileId/pacing" params={{ profileId: profile_id }}>
            <Badge tone={pacing[current.status].tone}>{pacing[current.status].label}</Badge>
            {current.pacing_pct === null ? null : (
              <span className="sub">{percent(current.pacing_pct, 0)} of plan</span>
            )}
          </Link>
        ),
    },
    {
      id: 'health',
      label: 'Health',
      title: 'Connections and the daily checks of the data',
      value: (row) => health[row.health.status].rank,
      cell: ({ health: current, profile_id }) => (
        <Link to="/p/$profileId/data-health" params={{ profileId: profile_id }}>
          <Badge tone={health[current.status].tone}>{health[current.status].label}</Badge>
          {current.broken_connections > 0 ? (
            <span className="sub">{count(current.broken_connections)} not connected</span>
          ) : null}
        </Link>
      ),
    },
    {
      id: 'alerts',
      label: 'Alerts',
      title: 'Broken connections, open findings of the data checks and firing alerts',
      number: true,
      value: (row) => row.alerts,
      cell: (row) =>
        row.alerts === 0 ? (
          <span className="faint">0</span>
        ) : (
          <Link to="/p/$profileId/alerts" params={{ profileId: row.profile_id }}>
            {count(row.alerts)}
          </Link>
        ),
    },
    {
      id: 'recommendations',
      label: 'To do',
      title: 'Open recommendations',
      number: true,
      value: (row) => row.recommendations,
      cell: (row) =>
        row.recommendations === 0 ? (
          <span className="faint">0</span>
        ) : (
          <Link to="/p/$profileId/recommendations" params={{ profileId: row.profile_id }}>
            {count(row.recommendations)}
          </Link>
        ),
    },
    {
      id: 'report',
      label: 'Last report',
      value: (row) => row.last_report?.created_at ?? null,
      cell: ({ last_report: report, profile_id, timezone }) =>
        report === null ? (
          <Link to="/p/$profileId/client-reports" params={{ profileId: profile_id }}>
            Create one
          </Link>
        ) : (
          <Link to="/p/$profileId/client-reports" params={{ profileId: profile_id }}>
            {dayText(today(timezone, new Date(report.created_at)))}
            <span className="sub">{reportStates[report.status] ?? report.status}</span>
          </Link>
        ),
    },
  ]
}
