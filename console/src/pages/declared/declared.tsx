import { type DeclaredReport, getDeclaredReport } from '@whence/sdk'
import type { Prefetch } from '../../api/prefetch.ts'
import { type Profile, useProfileRead } from '../../api/profile.ts'
import { count, NONE, percent } from '../../format/numbers.ts'
import { channelName } from '../../names/providers.ts'
import { ReportControls } from '../../report/controls.tsx'
import { Caveats } from '../../report/freshness.tsx'
import { type Report, reportOf } from '../../report/report.ts'
import { useReport } from '../../report/use-report.ts'
import { readReportSearch } from '../../search.ts'
import { Card } from '../../ui/card.tsx'
import { col } from '../../ui/columns.ts'
import { type Column, DataTable } from '../../ui/data-table.tsx'
import { Empty } from '../../ui/empty.tsx'
import { Loaded } from '../../ui/loaded.tsx'
import { Page } from '../../ui/page.tsx'
import { Stat } from '../../ui/stat.tsx'
import { Question } from './question.tsx'

const queryOf = ({ range, model }: Report) => ({
  query: { date_from: range.from, date_to: range.to, model },
})

export function prefetchReads(prefetch: Prefetch, profile: Profile, search: Record<string, unknown>): void {
  prefetch(getDeclaredReport, queryOf(reportOf(readReportSearch(search), profile.timezone)))
}

/** The sources that customers named, next to the credited channels. */
export function Declared() {
  const report = useProfileRead(getDeclaredReport, queryOf(useReport()), { keep: true })
  return (
    <Page
      title="Declared sources"
      note="Customers’ answers to “How did you hear about us?”, next to the channel credited for their first payment in this period. Answers never change credit."
      actions={<ReportControls withModel />}
    >
      <Loaded query={report}>
        {(reply) => (
          <>
            <Caveats meta={reply.meta} />
            <Answers report={reply.data} />
          </>
        )}
      </Loaded>
      <Question />
    </Page>
  )
}

function Answers({ report }: { report: DeclaredReport }) {
  if (report.answered === 0)
    return (
      <>
        <Counts report={report} />
        <Card title="Answers" flush>
          <Empty icon="declared" title="No answers from customers who paid in these days">
            Add the question below to your thank-you page or order emails. Answers appear here next to the
            credited channels.
          </Empty>
        </Card>
      </>
    )
  const labels = new Map(report.answers.map((row) => [row.answer_key, row.label_en ?? row.answer_key]))
  return (
    <>
      <Counts report={report} />
      <Card
        title="Answers"
        note="Customers’ answers, next to the credited channels of the same customers."
        flush
      >
        <DataTable
          label="Answers and the credit of their channels"
          columns={answerColumns}
          rows={report.answers}
          rowKey={(row) => row.answer_key}
        />
      </Card>
      <Split
        title="By channel"
        head="Credited to"
        rows={report.channels.map((row) => ({
          ...row,
          name: channelName(row.channel),
        }))}
        labels={labels}
      />
      {report.campaigns.length === 0 ? null : (
        <Split
          title="By campaign"
          head="Credited to"
          rows={report.campaigns.map((row) => ({
            ...row,
            name: row.campaign_name ?? row.platform_id ?? NONE,
          }))}
          labels={labels}
        />
      )}
      {report.texts.length === 0 ? null : (
        <Card title="In their own words" note="Only answers that at least three customers wrote." flush>
          <ul className="list">
            {report.texts.map(({ text, count: times }) => (
              <li key={text}>
                <span className="grow">{text}</span>
                <span className="sub">{count(times)}</span>
              </li>
            ))}
          </ul>
        </Card>
      )}
    </>
  )
}

/** Number of paying customers and answers, response rate and most frequent answer. */
function Counts({ report }: { report: DeclaredReport }) {
  const top = report.answers.toSorted((a, b) => b.count - a.count)[0]
  return (
    <dl className="grid-stats">
      <Stat label="Paying customers" value={count(report.customers)} detail="in these days" />
      <Stat
        label="Answered"
        value={count(report.answered)}
        detail={`of ${count(report.customers)} paying customers`}
      />
      <Stat
        label="Response rate"
        value={report.response_rate === null ? NONE : percent(report.response_rate * 100, 0)}
        detail={`likely ${between(report.response_rate_low, report.response_rate_high)}`}
      />
      <Stat
        label="Most frequent answer"
        value={top && top.count > 0 ? (top.label_en ?? top.answer_key) : NONE}
        detail={
          top && top.count > 0 ? `${percent((top.share ?? 0) * 100, 0)} of the answers` : 'no answer yet'
        }
      />
    </dl>
  )
}

const between = (low: number | null, high: number | null) =>
  low === null || high === null ? NONE : `${percent(low * 100, 0)} to ${percent(high * 100, 0)}`

const answerColumns: Column<DeclaredReport['answers'][number]>[] = [
  col.text('answer', 'Answer', (row) => row.label_en ?? row.answer_key),
  col.count('count', 'Customers', (row) => row.count),
  {
    id: 'share',
    label: 'Share',
    number: true,
    value: (row) => row.share,
    cell: (row) => (
      <>
        {percent((row.share ?? 0) * 100, 0)}
        <span className="cell-bar" aria-hidden="true">
          <span style={{ width: `${(row.share ?? 0) * 100}%` }} />
        </span>
      </>
    ),
  },
  {
    id: 'interval',
    label: 'Likely between',
    title: '95% interval: wide if there are few answers',
    number: true,
    cell: (row) => between(row.share_low, row.share_high),
  },
  {
    id: 'credited',
    label: 'Credited',
    title: 'Share credited to this answer’s channels, for the same customers',
    number: true,
    value: (row) => row.credited_share,
    cell: (row) => (row.credited_share === null ? 'No channel' : percent(row.credited_share * 100, 0)),
  },
]

type SplitRow = { name: string; credit: number; answers: DeclaredReport['channels'][number]['answers'] }

function Split({
  title,
  head,
  rows,
  labels,
}: {
  title: string
  head: string
  rows: readonly SplitRow[]
  labels: ReadonlyMap<string, string>
}) {
  const columns: Column<SplitRow>[] = [
    { id: 'name', label: head, value: (row) => row.name, cell: (row) => row.name },
    {
      id: 'credit',
      label: 'Customers',
      number: true,
      value: (row) => row.credit,
      cell: (row) => count(Math.round(row.credit * 10) / 10),
    },
    {
      id: 'answers',
      label: 'Answers',
      cell: (row) =>
        row.answers
          .slice(0, 3)
          .map(
            (answer) =>
              `${labels.get(answer.answer_key) ?? answer.answer_key} ${percent((answer.share ?? 0) * 100, 0)} (${between(answer.share_low, answer.share_high)})`,
          )
          .join(', '),
    },
  ]
  return (
    <Card title={title} note="With the 95% interval of each share." flush>
      <DataTable label={title} columns={columns} rows={rows} rowKey={(row) => row.name} />
    </Card>
  )
}
