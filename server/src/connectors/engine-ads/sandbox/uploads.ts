/** Receives conversions and corrections; a bad one fails alone, as partial failure means. */
import type { SandboxOptions, SandboxReply } from '../../sandbox/sandbox.ts'

type Operation = Record<string, unknown>
type Problem = { family: string; code: string; message: string } | null

export function createUploads(options: SandboxOptions) {
  const received: Operation[] = []
  const orders = new Set<string>()
  const retracted = new Set<string>()

  function judgeConversion(operation: Operation): Problem {
    const family = 'conversionUploadError'
    const hasClick = [operation.gclid, operation.gbraid, operation.wbraid].some(
      (id) => typeof id === 'string',
    )
    if (!hasClick && !Array.isArray(operation.userIdentifiers)) {
      return { family, code: 'MISSING_CLICK_ID', message: 'The conversion names no click and no person.' }
    }
    if (!/^\d{4}-\d{2}-\d{2} \d{2}:\d{2}:\d{2}[+-]\d{2}:\d{2}$/.test(String(operation.conversionDateTime))) {
      return {
        family: 'dateError',
        code: 'INVALID_STRING_DATE_TIME',
        message: 'The time is not in the right form.',
      }
    }
    if (orders.has(String(operation.orderId))) {
      return { family, code: 'ORDER_ID_ALREADY_IN_USE', message: 'The order id is in use.' }
    }
    return null
  }

  function judgeAdjustment(operation: Operation): Problem {
    const family = 'conversionAdjustmentUploadError'
    const order = String(operation.orderId)
    if (!orders.has(order))
      return { family, code: 'CONVERSION_NOT_FOUND', message: 'The conversion is not known.' }
    if (retracted.has(order)) {
      return { family, code: 'CONVERSION_ALREADY_RETRACTED', message: 'The conversion was retracted.' }
    }
    return null
  }

  function receive(
    customerId: string,
    list: string,
    body: unknown,
    judge: (operation: Operation) => Problem,
    keep: (operation: Operation) => void,
  ): SandboxReply {
    const operations = ((body as Record<string, unknown>)[list] ?? []) as Operation[]
    const errors: Record<string, unknown>[] = []
    const results = operations.map((operation, index) => {
      const problem = judge(operation)
      if (!problem) {
        keep(operation)
        received.push({
          kind: list,
          customer_id: customerId,
          received_at: options.now().toISOString(),
          ...operation,
        })
        return operation
      }
      const location = { fieldPathElements: [{ fieldName: list, index }] }
      errors.push({ errorCode: { [problem.family]: problem.code }, message: problem.message, location })
      return {}
    })
    const details = [{ '@type': 'type.googleapis.com/google.ads.googleads.errors.GoogleAdsFailure', errors }]
    const partialFailureError = { code: 3, message: 'Multiple errors in ‘details’.', details }
    return {
      status: 200,
      body: { results, jobId: '1', ...(errors.length > 0 ? { partialFailureError } : {}) },
    }
  }

  return {
    received: () => [...received],
    conversions: (customerId: string, body: unknown) =>
      receive(
        customerId,
        'conversions',
        body,
        judgeConversion,
        ({ orderId }) => void orders.add(String(orderId)),
      ),
    adjustments: (customerId: string, body: unknown) =>
      receive(customerId, 'conversionAdjustments', body, judgeAdjustment, ({ orderId, adjustmentType }) => {
        if (adjustmentType === 'RETRACTION') retracted.add(String(orderId))
      }),
  }
}
