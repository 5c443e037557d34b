import { decideMergeProposal, listMergeProposals, previewMerge } from '@whence/sdk'
import { useState } from 'react'
import { messageOf } from '../../api/call.ts'
import { useProfileRead, useProfileWrite } from '../../api/profile.ts'
import { plural } from '../../format/numbers.ts'
import { Button } from '../../ui/button.tsx'
import { Dialog } from '../../ui/dialog.tsx'
import { Loaded } from '../../ui/loaded.tsx'
import { Notice } from '../../ui/notice.tsx'
import { useToast } from '../../ui/toast.tsx'
import { type Proposal, sideName } from './proposal.ts'
import { SideView } from './proposal-card.tsx'

/** Previews what a merge would move, then merges. */
export function MergeDialog({ proposal, onClose }: { proposal: Proposal; onClose: () => void }) {
  const [isSwapped, setSwapped] = useState(false)
  const [into, from] = isSwapped ? [proposal.second, proposal.first] : [proposal.first, proposal.second]
  const preview = useProfileRead(previewMerge, {
    query: { from_customer_id: from.customer_id, into_customer_id: into.customer_id },
  })
  const decide = useProfileWrite(decideMergeProposal, [listMergeProposals])
  const toast = useToast()
  const merge = () =>
    decide.mutate(
      { params: { id: proposal.id }, body: { decision: 'merge', into_customer_id: into.customer_id } },
      {
        onSuccess: () => {
          toast('Merged. You can undo it under Merged.')
          onClose()
        },
      },
    )
  return (
    <Dialog
      open
      onClose={onClose}
      wide
      title="Merge two customers"
      note="Combines the journeys, conversions and payments of both, and recomputes credit now."
    >
      {decide.error ? <Notice tone="bad">{messageOf(decide.error)}</Notice> : null}
      <div className="sides">
        <div>
          <p className="muted small">Merged</p>
          <SideView side={from} />
        </div>
        <div>
          <p className="muted small">Kept</p>
          <SideView side={into} />
        </div>
      </div>
      <Loaded query={preview}>
        {({ data: { moves } }) => (
          <p role="status">
            {plural(moves.touches, 'visit')}, {plural(moves.conversions, 'conversion')},{' '}
            {plural(moves.payments, 'payment')} and {plural(moves.identifiers, 'identifier')} move to{' '}
            {sideName(into)}.
          </p>
        )}
      </Loaded>
      <Button kind="quiet" small onClick={() => setSwapped(!isSwapped)}>
        Swap
      </Button>
      <div className="form-actions">
        <Button onClick={onClose}>Cancel</Button>
        <Button kind="primary" busy={decide.isPending} disabled={!preview.data} onClick={merge}>
          Merge
        </Button>
      </div>
    </Dialog>
  )
}
