/** The Conversions API: keys of UET tags, validation and storage of events; from Microsoft's page of 2026-08-04. */

import { bearerOf, readJson } from '../routes.ts'
import type { SandboxReply, SandboxRequest } from '../sandbox.ts'
import { seededDigits, seededUuid } from '../seeded-random.ts'
import type { MsAccount } from './account.ts'

type Json = Record<string, unknown>
type Detail = {
  index: number
  propertyName: string
  errorMessage: string
  errorCode: string
  isWarning: boolean
}

const SHOWN = 10
const MAX_EVENTS = 1000
const SEVEN_DAYS = 7 * 86_400
const sha256 = /^[0-9a-f]{64}$/
const uuid = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i
const identifiers = ['anonymousId', 'externalId', 'em', 'ph', 'msclkid', 'idfa', 'gaid']

export const tagOf = (account: MsAccount): string => seededDigits(9, account.id, 'uet tag')

export function createConversions(now: () => Date, seed: string) {
  const received = new Map<string, Json>()
  const keyOf = (tagId: string) => seededUuid(seed, 'uet key', tagId)
  let secretlyBad: (event: Json) => boolean = () => false

  function faultsOf(event: Json, index: number): Detail[] {
    const user = (event.userData ?? {}) as Json
    const fault = (name: string, errorCode: string, errorMessage: string, isWarning = false): Detail => ({
      index,
      propertyName: `data[${index}].${name}`,
      errorMessage,
      errorCode,
      isWarning,
    })
    const age = now().getTime() / 1000 - Number(event.eventTime)
    return [
      ...(['pageLoad', 'custom'].includes(String(event.eventType)) && !secretlyBad(event)
        ? []
        : [fault('eventType', 'InvalidEnumValue', "'eventType' must be one of: pageLoad, custom.")]),
      ...(Number.isInteger(event.eventTime) && age <= SEVEN_DAYS && age > -60
        ? []
        : [fault('eventTime', 'InvalidEventTime', "'eventTime' must be within last 7 days.")]),
      ...(identifiers.some((name) => user[name] !== undefined)
        ? []
        : [fault('userData', 'Empty', "'userData' must have an identifier.")]),
      ...['em', 'ph']
        .filter((name) => user[name] !== undefined && !sha256.test(String(user[name])))
        .map((name) =>
          fault(`userData.${name}`, 'InvalidSha256', `'${name}' must be a valid SHA256 string.`, true),
        ),
      ...(user.msclkid !== undefined && !uuid.test(String(user.msclkid))
        ? [fault('userData.msclkid', 'InvalidUuid', "'msclkid' must be a valid UUID.", true)]
        : []),
      ...(event.adStorageConsent !== undefined && !['G', 'D'].includes(String(event.adStorageConsent))
        ? [fault('adStorageConsent', 'InvalidEnumValue', "'adStorageConsent' must be G or D.", true)]
        : []),
    ]
  }

  function ingest(request: SandboxRequest, tagId: string): SandboxReply {
    if (bearerOf(request) !== keyOf(tagId))
      return {
        status: 401,
        body: { error: { code: 'Unauthorized', message: 'You are not authorized to access this resource.' } },
      }
    const json = readJson(request)
    const events = (json.data ?? []) as Json[]
    const details = events.flatMap(faultsOf)
    const bad = new Set(details.filter(({ isWarning }) => !isWarning).map(({ index }) => index))
    const error = {
      code: details.some(({ isWarning }) => !isWarning) ? 'ValidationError' : 'ValidationWarning',
      message: 'One or multiple parameters did not pass validation checks, see details.',
      details: details.slice(0, SHOWN),
    }
    const isRefused =
      events.length === 0 ||
      events.length > MAX_EVENTS ||
      (bad.size > 0 && (json.continueOnValidationError !== true || bad.size === events.length))
    if (isRefused) return { status: 400, body: { error } }
    const good = events.filter((_, index) => !bad.has(index))
    for (const event of good) {
      const key = `${tagId} ${String(event.eventName)} ${String(event.eventId)}`
      if (!received.has(key)) received.set(key, { tagId, dataProvider: json.dataProvider, ...event })
    }
    return {
      status: 200,
      body: { eventsReceived: good.length, ...(details.length === 0 ? {} : { error }) },
    }
  }

  return {
    ingest,
    received: () => [...received.values()],
    /** Makes the platform reject events that pass validation. */
    refuseEvents(eventNames: readonly string[]) {
      secretlyBad = (event) => eventNames.includes(String(event.eventName))
    },
    readKey(json: Json, account: MsAccount): SandboxReply {
      if (String(json.UetTagId) !== tagOf(account))
        return {
          status: 200,
          body: {
            UetTagAuthKey: null,
            PartialErrors: [
              { Code: 5104, ErrorCode: 'UetTagIdInvalid', Index: 0, Message: 'The tag is not valid.' },
            ],
          },
        }
      return { status: 200, body: { UetTagAuthKey: keyOf(tagOf(account)), PartialErrors: [] } }
    },
  }
}
