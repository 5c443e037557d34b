import type { ReplyOf } from '@whence/server/contract/endpoint.ts'
import type { listPayments } from '@whence/server/features/payments/contract.ts'

export type Payment = ReplyOf<typeof listPayments>[number]
