import type { DataOf, listMergeProposals } from '@whence/sdk'
import { customerName } from '../customers/customer-name.ts'

export type Proposal = DataOf<typeof listMergeProposals>[number]
export type Side = Proposal['first']

export function sideName(side: Side): string {
  return side.contact_withheld ? `Customer ${side.customer_id.slice(-6)}` : customerName(side)
}
