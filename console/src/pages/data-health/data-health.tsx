import { getDoctor, runDoctor } from '@whence/server/features/insights/doctor/contract.ts'
import { useState } from 'react'
import { useProfileRead, useProfileWrite } from '../../api/profile.ts'
import { agoText } from '../../format/times.ts'
import { Button } from '../../ui/button.tsx'
import { Card } from '../../ui/card.tsx'
import { Empty } from '../../ui/empty.tsx'
import { Loaded } from '../../ui/loaded.tsx'
import { Page } from '../../ui/page.tsx'
import { FindingCard } from './finding-card.tsx'

const LOOK_MS = 2000

export function DataHealth() {
  /** `checked_at` when a run was requested; undefined while none is under way. */
  const [runSince, setRunSince] = useState<string | null | undefined>(undefined)
  const found = useProfileRead(getDoctor, {}, { keep: true, every: runSince === undefined ? false : LOOK_MS })
  const run = useProfileWrite(runDoctor)
  const checkedAt = found.data?.data.checked_at
  const isRunning = runSince !== undefined && checkedAt === runSince
  if (runSince !== undefined && checkedAt !== undefined && !isRunning) setRunSince(undefined)
  return (
    <Page
      title="Data health"
      note={
        checkedAt
          ? `Faults in the data of the last 28 days and what to do about them. Checked ${agoText(checkedAt)}.`
          : 'Faults in the data of the last 28 days and what to do about them.'
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
      <Loaded query={found}>
        {({ data }) => {
          const findings = data.checks.filter(({ status }) => status === 'problem' || status === 'warning')
          const passed = data.checks.filter(({ status }) => status === 'ok')
          const skipped = data.checks.filter(({ status }) => status === 'not_applicable')
          if (data.checks.length === 0)
            return (
              <Card>
                <Empty icon="alert" title="Not checked yet">
                  Checks run once a day. Use “Check now” to run them at once.
                </Empty>
              </Card>
            )
          return (
            <>
              {findings.length === 0 ? (
                <Card>
                  <Empty icon="check" title="No faults found">
                    {passed.length} checks passed.
                  </Empty>
                </Card>
              ) : (
                findings.map((check) => <FindingCard key={check.id} check={check} currency={data.currency} />)
              )}
              <Questions title="Passed" checks={passed} />
              <Questions title="No data to check yet" checks={skipped} />
            </>
          )
        }}
      </Loaded>
    </Page>
  )
}

function Questions({ title, checks }: { title: string; checks: { id: string; question: string }[] }) {
  if (checks.length === 0) return null
  return (
    <Card title={title}>
      <ul className="reasons">
        {checks.map(({ id, question }) => (
          <li key={id}>{question}</li>
        ))}
      </ul>
    </Card>
  )
}
