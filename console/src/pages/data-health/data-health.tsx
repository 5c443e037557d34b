import { getDoctor, runDoctor } from '@whence/sdk'
import { useState } from 'react'
import { useProfileRead, useProfileWrite } from '../../api/profile.ts'
import { count, plural } from '../../format/numbers.ts'
import { agoText } from '../../format/times.ts'
import { Button } from '../../ui/button.tsx'
import { Card } from '../../ui/card.tsx'
import { Empty } from '../../ui/empty.tsx'
import { Icon } from '../../ui/icon.tsx'
import { Loaded } from '../../ui/loaded.tsx'
import { Notice } from '../../ui/notice.tsx'
import { Page } from '../../ui/page.tsx'
import { Stat } from '../../ui/stat.tsx'
import { FindingCard } from './finding-card.tsx'

const POLL_MS = 2000

export function DataHealth() {
  /** `checked_at` at the time a run was requested; undefined while no run is in progress. */
  const [runSince, setRunSince] = useState<string | null | undefined>(undefined)
  const doctor = useProfileRead(
    getDoctor,
    {},
    { keep: true, every: runSince === undefined ? false : POLL_MS },
  )
  const run = useProfileWrite(runDoctor)
  const checkedAt = doctor.data?.data.checked_at
  const isRunning = runSince !== undefined && checkedAt === runSince
  if (runSince !== undefined && checkedAt !== undefined && !isRunning) setRunSince(undefined)
  return (
    <Page
      title="Data health"
      note={
        checkedAt
          ? `Problems in the data of the last 28 days, and how to fix them. Checked ${agoText(checkedAt)}.`
          : 'Problems in the data of the last 28 days, and how to fix them.'
      }
      actions={
        <Button
          busy={run.isPending || isRunning}
          onClick={() => run.mutate({}, { onSuccess: () => setRunSince(checkedAt ?? null) })}
        >
          Check now
        </Button>
      }
    >
      <Loaded query={doctor}>
        {({ data }) => {
          const findings = data.checks.filter(({ status }) => status === 'problem' || status === 'warning')
          const passed = data.checks.filter(({ status }) => status === 'ok')
          const skipped = data.checks.filter(({ status }) => status === 'not_applicable')
          if (data.checks.length === 0)
            return (
              <Card>
                <Empty icon="alert" title="Not checked yet">
                  Checks run once a day. Use “Check now” to run them now.
                </Empty>
              </Card>
            )
          const problems = findings.filter(({ status }) => status === 'problem').length
          return (
            <>
              <dl className="grid-stats">
                <Stat
                  label="Problems"
                  value={count(problems)}
                  detail={problems === 0 ? 'no figures are wrong' : 'figures are wrong until fixed'}
                />
                <Stat label="Warnings" value={count(findings.length - problems)} detail="worth a look" />
                <Stat
                  label="Passed"
                  value={count(passed.length)}
                  detail={`of ${plural(passed.length + findings.length, 'check')} with data`}
                />
              </dl>
              {findings.length === 0 ? (
                <Notice tone="good">No problems found in the last 28 days.</Notice>
              ) : (
                findings.map((check) => <FindingCard key={check.id} check={check} currency={data.currency} />)
              )}
              <Questions title="Passed" checks={passed} isPassed />
              <Questions
                title="Not enough data to check"
                note="These checks start automatically with the data they need."
                checks={skipped}
              />
            </>
          )
        }}
      </Loaded>
    </Page>
  )
}

function Questions({
  title,
  note,
  checks,
  isPassed,
}: {
  title: string
  note?: string
  checks: { id: string; question: string; examples: { id: string }[] }[]
  isPassed?: boolean
}) {
  if (checks.length === 0) return null
  return (
    <Card title={title} note={note}>
      <ul className="checks">
        {checks.map(({ id, question, examples }) => (
          <li key={id}>
            <span className={isPassed ? 'step-mark done' : 'step-mark'} aria-hidden="true">
              {isPassed ? <Icon name="check" size={12} /> : null}
            </span>
            {question}
            {examples.length === 0 ? null : (
              <span className="muted">
                {' '}
                Too few or too irregular to notice a stop: {examples.map((example) => example.id).join(', ')}
              </span>
            )}
          </li>
        ))}
      </ul>
    </Card>
  )
}
