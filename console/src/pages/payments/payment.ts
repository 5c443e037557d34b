import type { listPayments } from '@whence/server/features/corrections/payments/contract.ts'
import type { ReplyOf } from '@whence/server/platform/contract/endpoint.ts'

export type Payment = ReplyOf<typeof listPayments>[number]
