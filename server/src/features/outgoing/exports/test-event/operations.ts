import { randomUUID } from 'node:crypto'
import type { ExportConversion } from '../../../../connectors/connector.ts'
import type { ProfileContext } from '../../../../context.ts'
import { ApiError } from '../../../../platform/contract/errors.ts'
import { clearConversion } from '../../../../platform/outbound/gate.ts'
import { loadExportPolicy } from '../../../facts/export-queue/policy.ts'
import { toProviderApiError } from '../../../sources/connections/session.ts'
import { findDestination } from '../destinations/queries.ts'
import { openSender, SenderUnusable } from '../run/platform.ts'
import { targetIdOf } from '../run/rules.ts'

/** A fictitious person: the domain and the number are reserved for examples. */
function createTestConversion(eventName: string, now: Date): ExportConversion {
  const eventId = randomUUID()
  return {
    eventId,
    dedupId: eventId,
    eventName,
    occurredAt: now.toISOString(),
    value: { amountMinor: 100, currency: 'EUR' },
    source: 'system',
    sourceUrl: null,
    clicks: [],
    person: {
      emails: ['test.event@example.com'],
      phones: ['+12025550123'],
      externalIds: [],
      address: null,
      leadId: null,
      browserId: null,
      ip: null,
      userAgent: null,
      country: null,
    },
    orderId: null,
    consent: { adUserData: 'granted', adPersonalization: 'granted' },
    limitedDataUse: false,
    adjustment: 'none',
  }
}

export async function sendTestEvent(context: ProfileContext, id: string) {
  const { db, now, profile, service } = context
  const destination = await findDestination(db, { profileId: profile.id, id })
  if (destination === undefined) throw new ApiError('not_found', 'No such export destination.')
  if (destination.test_event_code === null)
    throw new ApiError('invalid_state', 'Set the test_event_code of the destination first.', {
      reason: 'test_event_code_missing',
    })
  const policy = await loadExportPolicy(db, profile.id)
  const target = { id: targetIdOf(policy, destination), testEventCode: destination.test_event_code }
  const conversion = clearConversion(
    createTestConversion(destination.event_map[0]?.event_name ?? 'Purchase', now),
  )
  try {
    const reply = await openSender(service, destination)(target, [conversion], now)
    const [result] = reply.results
    return {
      event_id: conversion.eventId,
      event_name: conversion.eventName,
      accepted: result?.ok ?? false,
      code: result?.code ?? null,
      message: result?.message ?? null,
      provider_request_id: reply.requestId,
    }
  } catch (error) {
    if (error instanceof SenderUnusable)
      throw new ApiError('connection_not_ready', `The platform refuses the destination: ${error.reason}.`, {
        cause: error,
      })
    throw toProviderApiError(error)
  }
}
