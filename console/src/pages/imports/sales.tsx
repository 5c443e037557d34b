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
import { mappingProblem, readSales, type Sale } from './sales-csv.ts'

const ROWS_PER_REQUEST = 500
const WAIT_MS = 2000

/** Sales from a till, the phone or a spreadsheet: read in the browser, looked at, then sent. */
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
  const goal = goals.find((one) => one.source_event_names.includes(choices.eventName))
  const settings = useMemo(
    () => ({
      ...choices,
      consent: choices.consent === 'unspecified' ? null : choices.consent,
      mapping,
      needsAmount: goal === undefined || goal.revenue_type !== 'pipeline',
      currency: profile.currency,
      timeZone: profile.timezone,
    }),
    [choices, mapping, goal, profile],
  )
  const whole = mappingProblem(settings)
  const sales = useMemo(
    () => (whole === null ? readSales(records.slice(1), settings) : []),
    [records, settings, whole],
  )
  const take = (next: string) => {
    setSource({ text: next, version: version + 1 })
    setChosen(null)
  }
  return (
    <div className="stack">
      <SourceCard text={text} onText={take} />
      {text.trim() === '' ? null : records.length < 2 ? (
        <Notice tone="bad">The first line names the columns; there are no rows below it.</Notice>
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
          {whole ? (
            <Notice tone="warn">{whole}</Notice>
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
      note="Sales from a till, the phone or a spreadsheet, credited to the ads that brought the customer. Nothing is sent before you have seen the preview."
    >
      <div className="file-start">
        <FileDrop
          label="CSV file"
          hint="Drop it here, or click to choose one."
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
          <span className="hint">The first line names the columns. Any names will do: you choose below.</span>
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
  const good = sales.filter((sale) => sale.event !== null)
  const left = good.filter((sale) => !outcomes.has(sale.line))
  const bad = sales.length - good.length
  const run = async () => {
    setSending(true)
    setProblem(null)
    try {
      for (let from = 0; from < left.length; from += ROWS_PER_REQUEST) {
        const rows = left.slice(from, from + ROWS_PER_REQUEST)
        const { data } = await patiently(() =>
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
        bad === 0
          ? `${plural(good.length, 'row')}, all fine`
          : `${plural(bad, 'row')} of ${sales.length} cannot be imported and would be left out`
      }
      actions={
        <Button
          kind="primary"
          busy={isSending}
          disabled={left.length === 0 || isSending}
          onClick={() => void run()}
        >
          Import {plural(left.length, 'sale')}
        </Button>
      }
      flush
    >
      {problem ? (
        <div className="card-body">
          <Notice tone="bad">{problem} Rows that were written stay; import again for the rest.</Notice>
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

/** A profile may send a number of events per second: a long file waits for its turn. */
async function patiently<T>(work: () => Promise<T>): Promise<T> {
  for (let attempt = 1; ; attempt++)
    try {
      return await work()
    } catch (error) {
      if (!(error instanceof WhenceError) || error.status !== 429 || attempt === 30) throw error
      await new Promise((resolve) => setTimeout(resolve, WAIT_MS))
    }
}
