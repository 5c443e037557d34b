import { getBrief } from '@whence/sdk'
import { useState } from 'react'
import { useProfileRead } from '../../api/profile.ts'
import { rangeText } from '../../format/times.ts'
import { useReport } from '../../report/use-report.ts'
import { Button } from '../../ui/button.tsx'
import { Card } from '../../ui/card.tsx'
import { Loaded } from '../../ui/loaded.tsx'
import { Skeleton } from '../../ui/skeleton.tsx'
import { BriefLink, type Sentence } from './brief-link.tsx'
import { ReceiveBrief } from './receive-brief.tsx'

/** What changed in the chosen days, in at most five sentences whose figures link to reports. */
export function Brief() {
  const { query, previous } = useReport()
  const brief = useProfileRead(getBrief, { query }, { keep: true })
  const [showReceive, setShowReceive] = useState(false)
  return (
    <Card
      title="What changed"
      note={`Compared with ${rangeText(previous.from, previous.to)}`}
      actions={
        <Button small onClick={() => setShowReceive(true)}>
          Get by email or chat
        </Button>
      }
    >
      <Loaded query={brief} skeleton={<BriefSkeleton />}>
        {({ data }) => <Sentences sentences={data.sentences} />}
      </Loaded>
      {showReceive ? <ReceiveBrief onClose={() => setShowReceive(false)} /> : null}
    </Card>
  )
}

export function Sentences({ sentences }: { sentences: readonly Sentence[] }) {
  return (
    <ul className="brief">
      {sentences.map(({ text, tone, parts }) => (
        <li key={text} className={tone}>
          <span>
            {parts.map(({ text, link }, index) =>
              // biome-ignore lint/suspicious/noArrayIndexKey: the parts of a sentence are never reordered
              link === null ? text : <BriefLink key={index} link={link} text={text} />,
            )}
          </span>
        </li>
      ))}
    </ul>
  )
}

function BriefSkeleton() {
  return (
    <div className="brief" role="status" aria-label="Loading">
      {['58%', '72%', '64%'].map((width) => (
        <Skeleton key={width} width={width} />
      ))}
    </div>
  )
}
