import { Link } from '@tanstack/react-router'
import { listMergeProposals, undoMerge } from '@whence/sdk'
import { messageOf } from '../../api/call.ts'
import { useProfileContext, useProfileWrite } from '../../api/profile.ts'
import { instantText } from '../../format/times.ts'
import { identifierName } from '../../names/providers.ts'
import { Badge } from '../../ui/badge.tsx'
import { Button } from '../../ui/button.tsx'
import { useToast } from '../../ui/toast.tsx'
import { customerReach } from '../customers/customer-name.ts'
import { type Proposal, type Side, sideName } from './proposal.ts'

export function ProposalCard({
  proposal,
  onMerge,
  onDecide,
}: {
  proposal: Proposal
  onMerge: () => void
  onDecide: (decision: 'dismiss' | 'snooze') => void
}) {
  const { profile } = useProfileContext()
  const undo = useProfileWrite(undoMerge, [listMergeProposals])
  const toast = useToast()
  const { first, second, status, evidence } = proposal
  const pair = `${sideName(first)} and ${sideName(second)}`
  const isOpen = status === 'open' || status === 'snoozed'
  const undoOne = (auditLogId: string) =>
    undo.mutate(
      { params: { auditLogId }, body: {} },
      {
        onSuccess: () => toast('Merge undone'),
        onError: (error) => toast(messageOf(error), 'bad'),
      },
    )
  return (
    <li aria-label={pair}>
      <div className="sides">
        <SideView side={first} />
        <SideView side={second} />
      </div>
      <div className="evidence">
        <span className="muted small">Both have the same</span>
        {evidence.map(({ kind }) => (
          <Badge key={kind} tone="accent">
            {identifierName(kind)}
          </Badge>
        ))}
        {proposal.contradictions.map((kind) => (
          <Badge key={kind} tone="warn">
            Different {kind === 'name' ? 'names' : 'email addresses'}
          </Badge>
        ))}
        <span className="muted small grow">{proposal.score}% match</span>
        {isOpen ? (
          <>
            <Button small kind="primary" onClick={onMerge} aria-label={`Preview the merge of ${pair}`}>
              Preview the merge
            </Button>
            <Button small onClick={() => onDecide('dismiss')} aria-label={`Not the same person: ${pair}`}>
              Not the same
            </Button>
            {status === 'open' ? (
              <Button
                small
                kind="quiet"
                onClick={() => onDecide('snooze')}
                aria-label={`Decide later about ${pair}`}
              >
                Later
              </Button>
            ) : (
              <span className="muted small">
                Shown again {instantText(proposal.snoozed_until, profile.timezone)}
              </span>
            )}
          </>
        ) : (
          <span className="muted small">Decided {instantText(proposal.decided_at, profile.timezone)}</span>
        )}
        {proposal.audit_log_id && status === 'merged' ? (
          <Button
            small
            busy={undo.isPending}
            onClick={() => undoOne(proposal.audit_log_id!)}
            aria-label={`Undo the merge of ${pair}`}
          >
            Undo
          </Button>
        ) : null}
      </div>
    </li>
  )
}

export function SideView({ side }: { side: Side }) {
  const { profile } = useProfileContext()
  return (
    <div className="side">
      <Link
        to="/p/$profileId/customers/$customerId"
        params={{ profileId: profile.id, customerId: side.customer_id }}
      >
        <strong>{sideName(side)}</strong>
      </Link>
      <span className="sub">{customerReach(side) || (side.contact_withheld ? 'Contact hidden' : ' ')}</span>
      <div className="toolbar">
        {Object.entries(Object.groupBy(side.identifier_kinds, (kind) => kind)).map(([kind, all]) => (
          <Badge key={kind}>
            {identifierName(kind)}
            {all.length > 1 ? ` × ${all.length}` : ''}
          </Badge>
        ))}
      </div>
    </div>
  )
}
