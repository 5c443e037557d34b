import type { DataOf, getOperatorStatus } from '@whence/sdk'
import type { ComponentProps } from 'react'
import { count } from '../../format/numbers.ts'
import { ageText, instantText } from '../../format/times.ts'
import { sentence } from '../../names/providers.ts'
import { Badge, type Tone } from '../../ui/badge.tsx'
import { col } from '../../ui/columns.ts'
import type { Column } from '../../ui/data-table.tsx'
import { Empty } from '../../ui/empty.tsx'
import type { Loaded } from '../../ui/loaded.tsx'
import { Notice } from '../../ui/notice.tsx'
import { Stat } from '../../ui/stat.tsx'
import { TableCard } from '../../ui/table-card.tsx'

type Status = DataOf<typeof getOperatorStatus>
type Process = Status['processes'][number]

/** Same threshold as the alert WhenceNoWorker. */
const WORKER_LATE_SECONDS = 60

export function Lag({ status: { lag, nodes } }: { status: Status }) {
  const { jobs, events, webhooks, worker_heartbeat_age_seconds: heartbeat } = lag
  const downNodes = nodes.filter(({ is_up }) => !is_up)
  return (
    <>
      {heartbeat === null || heartbeat > WORKER_LATE_SECONDS ? (
        <Notice tone="bad">
          {heartbeat === null
            ? 'No worker has run yet.'
            : `No worker has polled for jobs for ${ageText(heartbeat)}.`}{' '}
          Events are accepted but not processed. Start a process with ROLE=worker or ROLE=all.
        </Notice>
      ) : null}
      {downNodes.map(({ name }) => (
        <Notice key={name} tone="bad">
          Database node {name} does not respond.
        </Notice>
      ))}
      <dl className="grid-stats">
        <Stat
          label="Worker heartbeat"
          value={heartbeat === null ? 'never' : ageText(heartbeat)}
          detail="since a worker polled for jobs"
        />
        <Stat
          label="Event lag"
          value={ageText(events.oldest_waiting_age_seconds ?? 0)}
          detail={`${count(events.waiting)} waiting`}
        />
        <Stat
          label="Webhook backlog"
          value={count(webhooks.waiting)}
          detail={`${count(webhooks.stuck)} stuck${oldest(webhooks.oldest_waiting_age_seconds)}`}
        />
        <Stat
          label="Jobs ready"
          value={count(jobs.ready)}
          detail={`${count(jobs.running)} running, ${count(jobs.scheduled)} scheduled${oldest(jobs.oldest_ready_age_seconds)}`}
        />
        <Stat
          label="Dead jobs"
          value={count(jobs.dead)}
          detail={`attempts used up${oldest(jobs.oldest_dead_age_seconds)}`}
        />
        <Stat
          label="Quarantined events"
          value={count(events.quarantined)}
          detail={`not processed${oldest(events.oldest_quarantined_age_seconds)}`}
        />
      </dl>
    </>
  )
}

function oldest(seconds: number | null): string {
  return seconds === null ? '' : `, oldest ${ageText(seconds)}`
}

const stateTones: Record<Process['state'], Tone> = {
  running: 'good',
  silent: 'warn',
  stopped: 'plain',
  lost: 'bad',
}

const columns: Column<Process>[] = [
  { id: 'host', label: 'Process', cell: (row) => `${row.host} (${row.pid})` },
  col.text('role', 'Role', (row) => row.role),
  {
    id: 'state',
    label: 'State',
    value: (row) => row.state,
    cell: (row) => <Badge tone={stateTones[row.state]}>{sentence(row.state)}</Badge>,
  },
  {
    id: 'worked',
    label: 'Polled for jobs',
    title: 'Empty for a process that runs no jobs',
    cell: (row) => (row.seconds_since_worked === null ? '–' : `${ageText(row.seconds_since_worked)} ago`),
  },
  { id: 'seen', label: 'Heartbeat', cell: (row) => `${ageText(row.seconds_since_seen)} ago` },
  { id: 'version', label: 'Version', cell: (row) => `${row.version} (${row.build.slice(0, 12)})` },
  { id: 'started', label: 'Started', cell: (row) => instantText(row.started_at) },
]

export function Processes({ query }: { query: ComponentProps<typeof Loaded<{ data: Status }>>['query'] }) {
  return (
    <TableCard
      title="Processes"
      note="A lost process has sent no heartbeat for a minute and did not shut down cleanly."
      query={query}
      rows={({ data }) => data.processes}
      columns={columns}
      rowKey={(row) => row.id}
      empty={() => <Empty icon="live" title="No process has registered yet" />}
    />
  )
}
