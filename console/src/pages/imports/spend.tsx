import { useQueryClient } from '@tanstack/react-query'
import { importSpend } from '@whence/sdk'
import { Fragment, useState } from 'react'
import { messageOf } from '../../api/call.ts'
import { useProfileWrite } from '../../api/profile.ts'
import { refetch } from '../../api/refetch.ts'
import { plural } from '../../format/numbers.ts'
import { Badge } from '../../ui/badge.tsx'
import { Button } from '../../ui/button.tsx'
import { Card } from '../../ui/card.tsx'
import { CodeBlock } from '../../ui/copy.tsx'
import { type Column, DataTable } from '../../ui/data-table.tsx'
import { FileDrop } from '../../ui/file-drop.tsx'
import { Notice } from '../../ui/notice.tsx'
import { type Line, MAX_ROWS_PER_REQUEST, readSpendCsv } from './spend-csv.ts'

const example =
  'source,level,campaign_id,campaign_name,date,spend,currency\npodcast,campaign,spring,Spring,2026-03-01,120.50,EUR'

const columnHelp: [name: string, help: string][] = [
  ['source', 'Where the ads ran, in lower case, such as podcast'],
  ['level', 'campaign, ad_set or ad'],
  ['campaign_id', 'Your own id of the campaign; ad_set_id and ad_id at their levels'],
  ['campaign_name', 'Shown in reports; ad_set_name and ad_name likewise'],
  ['date', 'One row per day, such as 2026-03-01'],
  ['spend', 'Cost of the day, such as 120.50'],
  ['currency', 'Optional; default is the profile’s currency'],
  ['impressions', 'Optional, like clicks, reach, platform_conversions and platform_conversion_value'],
]

type Sent = { inserted: number; updated: number; unchanged: number }

/** Imports spend of a platform without a connection: the file is validated line by line, then sent. */
export function Spend() {
  const client = useQueryClient()
  const send = useProfileWrite(importSpend)
  const [file, setFile] = useState<{ name: string; text: string } | null>(null)
  const [sent, setSent] = useState<Sent | null>(null)
  const [problem, setProblem] = useState<string | null>(null)
  const parsed = file && readSpendCsv(file.text)
  const valid = parsed?.lines.filter((line) => line.problem === null) ?? []
  const invalid = parsed?.lines.filter((line) => line.problem !== null) ?? []
  const chooseFile = (chosen: typeof file) => {
    setSent(null)
    setProblem(null)
    setFile(chosen)
  }
  const run = async () => {
    const total: Sent = { inserted: 0, updated: 0, unchanged: 0 }
    try {
      for (let from = 0; from < valid.length; from += MAX_ROWS_PER_REQUEST) {
        const rows = valid.slice(from, from + MAX_ROWS_PER_REQUEST).flatMap(({ row }) => row ?? [])
        const { data } = await send.mutateAsync({ body: { rows } })
        for (const key of ['inserted', 'updated', 'unchanged'] as const) total[key] += data[key]
      }
      setSent(total)
      setFile(null)
      await refetch(client)
    } catch (error) {
      setProblem(messageOf(error))
    }
  }
  return (
    <div className="stack">
      <Card
        title="Ad spend from a file"
        note="For ads on a platform without a connection. Rows are matched by source, campaign and date: importing a row again replaces its amount."
      >
        <div className="stack">
          {sent ? (
            <Notice tone="good">
              {plural(sent.inserted, 'line')} added, {sent.updated} changed, {sent.unchanged} unchanged.
            </Notice>
          ) : null}
          {problem ? <Notice tone="bad">{problem}</Notice> : null}
          <div className="file-start">
            <FileDrop
              label="CSV file"
              hint="Drop a file here, or click to choose one. Its first line contains the column names."
              accept=".csv,text/csv"
              key={sent ? 'sent' : 'open'}
              onFile={chooseFile}
            />
            <dl className="pairs">
              {columnHelp.map(([name, help]) => (
                <Fragment key={name}>
                  <dt>
                    <code>{name}</code>
                  </dt>
                  <dd>{help}</dd>
                </Fragment>
              ))}
            </dl>
          </div>
          <CodeBlock text={example} />
          {parsed?.problem ? <Notice tone="bad">{parsed.problem}</Notice> : null}
        </div>
      </Card>
      {parsed && !parsed.problem ? (
        <Card
          title={`Preview of ${file.name}`}
          note={
            invalid.length === 0
              ? `${plural(valid.length, 'line')}, no problems`
              : `${plural(invalid.length, 'line')} cannot be imported and will be left out`
          }
          actions={
            <Button
              kind="primary"
              busy={send.isPending}
              disabled={valid.length === 0}
              onClick={() => void run()}
            >
              Import {plural(valid.length, 'line')}
            </Button>
          }
          flush
        >
          <DataTable
            label="Preview"
            columns={columnsOf(parsed.columns)}
            rows={[...invalid, ...valid]}
            rowKey={(line) => String(line.number)}
          />
        </Card>
      ) : null}
    </div>
  )
}

function columnsOf(columns: readonly string[]): Column<Line>[] {
  return [
    {
      id: 'line',
      label: 'Line',
      cell: (line) => (
        <>
          {line.number} {line.problem ? <Badge tone="bad">Left out</Badge> : null}
          {line.problem ? <span className="sub">{line.problem}</span> : null}
        </>
      ),
    },
    ...columns.map((name) => ({ id: name, label: name, cell: (line: Line) => line.values[name] ?? '' })),
  ]
}
