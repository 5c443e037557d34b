import { getCustomer, listMerges, undoMerge } from '@whence/sdk'
import { messageOf } from '../../api/call.ts'
import { useProfileContext, useProfileRead, useProfileWrite } from '../../api/profile.ts'
import { instantText } from '../../format/times.ts'
import { Button } from '../../ui/button.tsx'
import { Card } from '../../ui/card.tsx'
import { Loaded } from '../../ui/loaded.tsx'
import { useToast } from '../../ui/toast.tsx'

/** Customers that were merged into this one, with undo. */
export function Merges({ customerId }: { customerId: string }) {
  const { profile } = useProfileContext()
  const merges = useProfileRead(listMerges, { query: { customer_id: customerId } })
  const undo = useProfileWrite(undoMerge, [listMerges, getCustomer])
  const toast = useToast()
  const undoOne = (auditLogId: string) =>
    undo.mutate(
      { params: { auditLogId }, body: {} },
      {
        onSuccess: () => toast('Merge undone'),
        onError: (error) => toast(messageOf(error), 'bad'),
      },
    )
  return (
    <Card title="Merged into this customer" flush>
      <Loaded query={merges}>
        {({ data }) => (
          <ul className="list">
            {data.map((merge) => (
              <li key={merge.audit_log_id}>
                <span className="grow">
                  Customer {merge.from_customer_id.slice(-6)}
                  <span className="sub">Merged {instantText(merge.merged_at, profile.timezone)}</span>
                </span>
                {merge.undone_at ? (
                  <span className="muted small">Undone {instantText(merge.undone_at, profile.timezone)}</span>
                ) : (
                  <Button
                    small
                    busy={undo.isPending}
                    onClick={() => undoOne(merge.audit_log_id)}
                    aria-label={`Undo the merge of customer ${merge.from_customer_id.slice(-6)}`}
                  >
                    Undo
                  </Button>
                )}
              </li>
            ))}
          </ul>
        )}
      </Loaded>
    </Card>
  )
}
