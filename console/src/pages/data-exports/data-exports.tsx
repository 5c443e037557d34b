import { type DataOf, getDataSchema, listDataDestinations, listDataRuns } from '@whence/sdk'
import { useState } from 'react'
import { useProfileRead } from '../../api/profile.ts'
import { count } from '../../format/numbers.ts'
import { instantText } from '../../format/times.ts'
import { sentence } from '../../names/providers.ts'
import { Badge } from '../../ui/badge.tsx'
import { Button } from '../../ui/button.tsx'
import { Card } from '../../ui/card.tsx'
import { Empty } from '../../ui/empty.tsx'
import { Icon } from '../../ui/icon.tsx'
import { Loaded } from '../../ui/loaded.tsx'
import { Page } from '../../ui/page.tsx'
import { DataDestinationForm } from './destination-form.tsx'
import { DestinationRow } from './destination-row.tsx'

const REFRESH_MS = 5000

export function DataExports() {
  const [creating, setCreating] = useState(false)
  const destinations = useProfileRead(listDataDestinations, {}, { every: REFRESH_MS })
  return (
    <Page
      title="Data exports"
      note="All data and the credit of every model as Parquet files, in a folder or in your own storage. Only changed days are written again."
      actions={
        <Button kind="primary" onClick={() => setCreating(true)}>
          <Icon name="plus" size={16} />
          New destination
        </Button>
      }
    >
      <Card
        title="Destinations"
        note="Owners and admins can add destinations. All owners get an email about each."
        flush
      >
        <Loaded query={destinations}>
          {({ data }) =>
            data.length === 0 ? (
              <Empty icon="download" title="No destinations yet">
                Choose a folder or S3-compatible storage.
              </Empty>
            ) : (
              <ul className="list">
                {data.map((destination) => (
                  <DestinationRow key={destination.id} destination={destination} />
                ))}
              </ul>
            )
          }
        </Loaded>
      </Card>
      <Runs names={new Map((destinations.data?.data ?? []).map(({ id, name }) => [id, name]))} />
      <Tables />
      {creating ? <DataDestinationForm onClose={() => setCreating(false)} /> : null}
    </Page>
  )
}

type Run = DataOf<typeof listDataRuns>[number]

const tones = { queued: 'plain', running: 'plain', completed: 'good', failed: 'bad' } as const

function writtenText({ tables, error, erasures }: Run): string {
  if (error !== null) return error
  const rows = tables.reduce((sum, table) => sum + table.rows, 0)
  const days = tables.reduce((sum, table) => sum + table.days_written, 0)
  const written = tables.length === 0 ? 'No changes' : `${count(rows)} rows, ${count(days)} files by day`
  return erasures === 0 ? written : `${written}; ${count(erasures)} erased`
}

function Runs({ names }: { names: ReadonlyMap<string, string> }) {
  const runs = useProfileRead(listDataRuns, {}, { every: REFRESH_MS })
  return (
    <Card title="Runs" flush>
      <Loaded query={runs}>
        {({ data }) =>
          data.length === 0 ? (
            <Empty icon="download" title="No runs yet">
              Each run is listed here with the rows and days it wrote.
            </Empty>
          ) : (
            <ul className="list">
              {data.map((run) => (
                <li key={run.id}>
                  <span className="grow">
                    <strong>{names.get(run.destination_id) ?? 'A deleted destination'}</strong>
                    <span className="sub">
                      {instantText(run.created_at)} · {writtenText(run)}
                    </span>
                  </span>
                  <Badge tone={tones[run.status]}>{sentence(run.status)}</Badge>
                </li>
              ))}
            </ul>
          )
        }
      </Loaded>
    </Card>
  )
}

function Tables() {
  const schema = useProfileRead(getDataSchema)
  return (
    <Card title="Tables" note="Open a table to see its columns." flush>
      <Loaded query={schema}>
        {({ data }) => (
          <ul className="list tiles">
            {data.tables.map(({ name, about, columns }) => (
              <li key={name}>
                <details>
                  <summary>
                    <code>{name}</code>
                    <span className="sub">{about}</span>
                  </summary>
                  <ul>
                    {columns.map((column) => (
                      <li key={column.name}>
                        <code>{column.name}</code> <span className="faint">{column.type}</span> {column.about}
                      </li>
                    ))}
                  </ul>
                </details>
              </li>
            ))}
          </ul>
        )}
      </Loaded>
    </Card>
  )
}
