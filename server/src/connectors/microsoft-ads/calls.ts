/**
 * Calls to the Bing Ads API v13 over REST. Paths, headers and bodies by the reference in MicrosoftDocs/Advertising
 * (2026-08-17), read on 2026-11-17. Each service has its own host, configured with the placeholder `{service}`.
 */
import { z } from 'zod'
import type { Outbound } from '../../platform/outbound/outbound.ts'
import { type ProviderApp, ProviderError, type Session, type TokenSet } from '../connector.ts'
import { lookUp } from '../look-up.ts'
import { callJson, refusalByStatus, retryAfterSeconds } from '../provider-http.ts'
import { providerMessageIn, refusalMessages } from '../provider-messages.ts'
import { text } from '../reply-fields.ts'
import { apiVersions } from '../versions.ts'

const hosts = {
  CustomerManagement: 'clientcenter',
  CampaignManagement: 'campaign',
  Reporting: 'reporting',
} as const
type Service = keyof typeof hosts

/** The account of a call. Some calls are made before an account is chosen. */
type CallAccount = { customerId: string; accountId: string }
type Caller = { http: Outbound; app: ProviderApp; token: TokenSet }

export async function callAds<T>(
  caller: Caller,
  account: CallAccount | null,
  call: { service: Service; path: string; json: unknown; schema: z.ZodType<T>; method?: 'PUT' },
): Promise<T> {
  const { app, token } = caller
  const developerToken = app.extra.developerToken
  // The platform would report this like an expired consent, which a person could not fix.
  if (developerToken === undefined)
    throw new ProviderError('unavailable', 'The registration of Microsoft Ads has no developer token', {
      providerCode: 'developer_token_missing',
    })
  const base = app.apiBaseUrl.replace('{service}', hosts[call.service])
  return callJson(caller.http, {
    url: `${base}/${call.service}/${apiVersions.microsoft_ads.version}/${call.path}`,
    bearer: token.accessToken,
    headers: {
      developertoken: developerToken,
      ...(account === null ? {} : { customerid: account.customerId, customeraccountid: account.accountId }),
    },
    json: call.json,
    ...(call.method === undefined ? {} : { method: call.method }),
    schema: call.schema,
    refusal: adsRefusal,
  })
}

export const ApiError = z.looseObject({
  Code: z.union([z.number(), z.string()]).nullish(),
  ErrorCode: text,
  Message: text,
})
const Fault = z.looseObject({
  OperationErrors: z.array(ApiError).nullish(),
  /** Errors of the customer service. */
  Errors: z.array(ApiError).nullish(),
  BatchErrors: z.array(ApiError.nullable()).nullish(),
})

type ErrorMapping = { reason: ProviderError['reason']; retryAfterSeconds?: number }
/** Numeric codes of "Bing Ads API operation error codes". 207 is for reports; other services use it differently. */
const errorMappings: Readonly<Record<string, ErrorMapping>> = {
  '105': { reason: 'invalid_grant' },
  '106': { reason: 'permission_missing' },
  '109': { reason: 'invalid_grant' },
  '117': { reason: 'rate_limited', retryAfterSeconds: 60 },
  '120': { reason: 'invalid_grant' },
  '123': { reason: 'invalid_grant' },
  '2003': { reason: 'permission_missing' },
  '2004': { reason: 'rate_limited', retryAfterSeconds: 900 },
  '2100': { reason: 'not_found' },
  ConcurrentRequestOverLimit: { reason: 'rate_limited', retryAfterSeconds: 60 },
}

/** The platform's error format: a list for the operation, and one for the items of a batch. */
function adsRefusal(reply: {
  status: number
  body: unknown
  headers: Record<string, string>
}): ProviderError | null {
  const fault = Fault.safeParse(reply.body).data
  const [first] = [...(fault?.OperationErrors ?? []), ...(fault?.Errors ?? []), ...(fault?.BatchErrors ?? [])]
  if (first === undefined || first === null) return null
  const code = String(first.Code ?? '')
  const meaning = lookUp(errorMappings, first.ErrorCode) ??
    lookUp(errorMappings, code) ?? { reason: refusalByStatus(reply.status, null, null).reason }
  return new ProviderError(meaning.reason, refusalMessages[meaning.reason], {
    providerCode: first.ErrorCode ?? (code || String(reply.status)),
    providerMessage: providerMessageIn(first.Message),
    retryAfterSeconds: retryAfterSeconds(reply.headers, Date.now()) ?? meaning.retryAfterSeconds ?? null,
  })
}

export type AdSession = Session & { account: CallAccount & { timeZone: string | null } }
