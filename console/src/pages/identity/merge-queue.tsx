import { decideMergeProposal, listMergeProposals, scanMergeProposals } from '@whence/sdk'
import { useState } from 'react'
import { messageOf } from '../../api/call.ts'
import { inProfile, useProfileContext, useProfileWrite } from '../../api/profile.ts'
import { usePages } from '../../api/queries.ts'
import { count, plural } from '../../format/numbers.ts'
import { Button } from '../../ui/button.tsx'
import { Card } from '../../ui/card.tsx'
import { Empty } from '../../ui/empty.tsx'
import { Loaded } from '../../ui/loaded.tsx'
import { Segmented } from '../../ui/segmented.tsx'
import { useToast } from '../../ui/toast.tsx'
import { MergeDialog } from './merge-dialog.tsx'
import type { Proposal } from './proposal.ts'
import { ProposalCard } from './proposal-card.tsx'

type Status = Proposal['status']

const statuses: { value: Status; label: string }[] = [
  { value: 'open', label: 'To decide' },
  { value: 'snoozed', label: 'Later' },
  { value: 'merged', label: 'Merged' },
  { value: 'dismissed', label: 'Not the same' },
]

/** Pairs of customers that may be one person, side by side with the evidence. */
export function MergeQueue() {
  const { profile } = useProfileContext()
  const [status, setStatus] = useState<Status>('open')
  const [merging, setMerging] = useState<Proposal | null>(null)
  const proposals = usePages(listMergeProposals, inProfile({ query: { status, limit: 20 } }, profile.id))
  const scan = useProfileWrite(scanMergeProposals, [listMergeProposals])
  const decide = useProfileWrite(decideMergeProposal, [listMergeProposals])
  const toast = useToast()
  const onError = (error: unknown) => toast(messageOf(error), 'bad')
  const runScan = () =>
    scan.mutate(
      { body: {} },
      {
        onSuccess: ({ data }) =>
          toast(data.proposed === 0 ? 'No more pairs found' : `${plural(data.proposed, 'pair')} found`),
        onError,
      },
    )
  const saveDecision = (proposal: Proposal, decision: 'dismiss' | 'snooze') =>
    decide.mutate(
      { params: { id: proposal.id }, body: { decision } },
      {
        onSuccess: () =>
          toast(decision === 'dismiss' ? 'Marked as different people' : 'Shown again in 30 days'),
        onError,
      },
    )
  const counts = proposals.data?.pages[0]?.status_counts as Record<Status, number> | undefined
  return (
    <Card
      title="Merge queue"
      note="Two customers who were seen with the same email, phone, payment account or browser."
      actions={
        <Button busy={scan.isPending} onClick={runScan}>
          Find duplicates
        </Button>
      }
      flush
    >
      <div className="report-filters">
        <Segmented
          label="Which pairs"
          value={status}
          options={statuses.map((option) => ({
            ...option,
            label: counts ? `${option.label} (${count(counts[option.value])})` : option.label,
          }))}
          onChange={setStatus}
        />
      </div>
      <Loaded query={proposals}>
        {({ pages }) => {
          const pairs = pages.flatMap((page) => page.data)
          if (pairs.length === 0)
            return (
              <Empty icon="people" title={status === 'open' ? 'No pairs to decide' : 'None here'}>
                {status === 'open'
                  ? 'Use “Find duplicates” after you import customers.'
                  : 'Your decisions are listed here.'}
              </Empty>
            )
          return (
            <>
              <ul className="list proposals">
                {pairs.map((proposal) => (
                  <ProposalCard
                    key={proposal.id}
                    proposal={proposal}
                    onMerge={() => setMerging(proposal)}
                    onDecide={(decision) => saveDecision(proposal, decision)}
                  />
                ))}
              </ul>
              {proposals.hasNextPage ? (
                <div className="card-foot">
                  <Button
                    small
                    busy={proposals.isFetchingNextPage}
                    onClick={() => void proposals.fetchNextPage()}
                  >
                    Show more
                  </Button>
                </div>
              ) : null}
            </>
          )
        }}
      </Loaded>
      {merging ? <MergeDialog proposal={merging} onClose={() => setMerging(null)} /> : null}
    </Card>
  )
}
