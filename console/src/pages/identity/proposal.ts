import type { listMergeProposals } from '@whence/server/features/corrections/identity-review/contract.ts'
import type { ReplyOf } from '@whence/server/platform/contract/endpoint.ts'
import { customerName } from '../customers/customer-name.ts'

export type Proposal = ReplyOf<typeof listMergeProposals>[number]
export type Side = Proposal['first']

export function sideName(side: Side): string {
  return side.contact_withheld ? `Customer ${side.customer_id.slice(-6)}` : customerName(side)
}
