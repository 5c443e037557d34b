import { useQueryClient } from '@tanstack/react-query'
import { listGoals, sendEvents, WhenceError } from '@whence/sdk'
import { useId, useMemo, useState } from 'react'
import { messageOf } from '../../api/call.ts'
import { useProfileContext, useProfileRead, useProfileWrite } from '../../api/profile.ts'
import { refetch } from '../../api/refetch.ts'
import { plural } from '../../format/numbers.ts'
import { Button } from '../../ui/button.tsx'
import { Card } from '../../ui/card.tsx'
import { DataTable } from '../../ui/data-table.tsx'
import { FileDrop } from '../../ui/file-drop.tsx'
import { Notice } from '../../ui/notice.tsx'
import { parseTable } from './csv-records.ts'
import { guessMapping, type Mapping } from './sale-fields.ts'
import { type Choices, MapColumns } from './sale-mapping.tsx'
import { type Outcome, outcomeText, saleColumns } from './sale-preview.tsx'
import { mappingProblem, REFUND, readSales, type Sale } from './sales-csv.ts'

const ROWS_PER_REQUEST = 500
const RETRY_MS = 2000

/** Imports offline sales: the file is parsed in the browser, previewed, then sent. */
export function Sales() {
  const { profile } = useProfileContext()
  const goals = useProfileRead(listGoals).data?.data ?? []
  const [{ text, version }, setSource] = useState({ text: '', version: 0 })
  const records = useMemo(() => parseTable(text), [text])
  const headings = records[0]?.fields ?? []
  const [chosen, setChosen] = useState<Mapping | null>(null)
  const mapping = useMemo(() => chosen ?? guessMapping(headings), [chosen, headings])
  const [choices, setChoices] = useState<Choices>({
    eventName: 'payment_received',
    consent: 'unspecified',
    dateOrder: 'ymd',
    decimalMark: '.',
  })
  const goal = goals.find((candidate) => candidate.source_event_names.includes(choices.eventName))
  const settings = useMemo(
    () => ({
      ...choices,
      consent: choices.consent === 'unspecified' ? null : choices.consent,
      mapping,
      needsAmount: choices.eventName !== REFUND && goal?.revenue_type !== 'pipeline',
      currency: profile.currency,
      timeZone: profile.timezone,
    }),
    [choices, mapping, goal, profile],
  )
  const fileProblem = mappingProblem(settings)
  const sales = useMemo(
    () => (fileProblem === null ? readSales(records.slice(1), settings) : []),
    [records, settings, fileProblem],
  )
  const loadText = (next: string) => {
    setSource({ text: next, version: version + 1 })
    setChosen(null)
  }
  return (
    <div className="stack">
      <SourceCard text={text} onText={loadText} />
      {text.trim() === '' ? null : records.length < 2 ? (
        <Notice tone="bad">There are no rows below the first line, which contains the column names.</Notice>
      ) : (
        <>
          <MapColumns
            headings={headings}
            first={records[1]!.fields}
            mapping={mapping}
            onMapping={setChosen}
            choices={choices}
            onChoices={setChoices}
            goals={goals}
          />
          {fileProblem ? (
            <Notice tone="warn">{fileProblem}</Notice>
          ) : (
            <Preview key={`${version} ${JSON.stringify(settings)}`} sales={sales} />
          )}
        </>
      )}
    </div>
  )
}

const example = `date,amount,order,email
2026-05-31 14:30,129.90,R-1042,ana@example.com`

function SourceCard({ text, onText }: { text: string; onText: (text: string) => void }) {
  const id = useId()
  return (
    <Card
      title="Offline sales"
      note="Sales from a till, by phone or from a spreadsheet, credited to the ads that brought the customer. Nothing is sent until you have seen the preview."
    >
      <div className="file-start">
        <FileDrop
          label="CSV file"
          hint="Drop a file here, or click to choose one."
          accept=".csv,.tsv,.txt,text/csv"
          onFile={(file) => {
            if (file) onText(file.text)
          }}
        />
        <div className="field">
          <label htmlFor={id}>Or paste the rows</label>
          <textarea
            id={id}
            className="input"
            rows={5}
            placeholder={example}
            value={text.length > 20_000 ? `${text.slice(0, 20_000)}…` : text}
            readOnly={text.length > 20_000}
            onChange={(event) => onText(event.target.value)}
          />
          <span className="hint">
            The first line contains the column names. Any names work: you match them below.
          </span>
        </div>
      </div>
    </Card>
  )
}

function Preview({ sales }: { sales: readonly Sale[] }) {
  const { profile } = useProfileContext()
  const client = useQueryClient()
  const send = useProfileWrite(sendEvents)
  const [outcomes, setOutcomes] = useState<ReadonlyMap<number, Outcome>>(new Map())
  const [isSending, setSending] = useState(false)
  const [problem, setProblem] = useState<string | null>(null)
  const valid = sales.filter((sale) => sale.event !== null)
  const remaining = valid.filter((sale) => !outcomes.has(sale.line))
  const invalidCount = sales.length - valid.length
  const run = async () => {
    setSending(true)
    setProblem(null)
    try {
      for (let from = 0; from < remaining.length; from += ROWS_PER_REQUEST) {
        const rows = remaining.slice(from, from + ROWS_PER_REQUEST)
        const { data } = await retryWhenThrottled(() =>
          send.mutateAsync({ body: { events: rows.flatMap(({ event }) => event ?? []) } }),
        )
        setOutcomes((before) => {
          const after = new Map(before)
          for (const { index, status, error } of data.results)
            after.set(rows[index]!.line, { status, message: error?.message ?? null })
          return after
        })
      }
      await refetch(client)
    } catch (error) {
      setProblem(messageOf(error))
    }
    setSending(false)
  }
  const columns = useMemo(() => saleColumns(profile.timezone, outcomes), [profile.timezone, outcomes])
  const rows = useMemo(
    () => [...sales].sort((a, b) => Number(a.problem === null) - Number(b.problem === null)),
    [sales],
  )
  return (
    <Card
      title="Preview"
      note={
        invalidCount === 0
          ? `${plural(valid.length, 'row')}, no problems`
          : `${plural(invalidCount, 'row')} of ${sales.length} cannot be imported and will be left out`
      }
      actions={
        <Button
          kind="primary"
          busy={isSending}
          disabled={remaining.length === 0 || isSending}
          onClick={() => void run()}
        >
          Import {plural(remaining.length, 'sale')}
        </Button>
      }
      flush
    >
      {problem ? (
        <div className="card-body">
          <Notice tone="bad">{problem} Rows imported so far are saved. Import again for the rest.</Notice>
        </div>
      ) : null}
      {outcomes.size > 0 ? (
        <div className="card-body">
          <Notice tone="good">{outcomeText([...outcomes.values()])}</Notice>
        </div>
      ) : null}
      <DataTable label="Preview" columns={columns} rows={rows} rowKey={(sale) => String(sale.line)} />
    </Card>
  )
}

/** Events per second are limited per profile, so a long file waits and retries. */
async function retryWhenThrottled<T>(work: () => Promise<T>): Promise<T> {
  for (let attempt = 1; ; attempt++)
    try {
      return await work()
    } catch (error) {
      if (!(error instanceof WhenceError) || error.status !== 429 || attempt === 30) throw error
      await new Promise((resolve) => setTimeout(resolve, RETRY_MS))
    }
}
