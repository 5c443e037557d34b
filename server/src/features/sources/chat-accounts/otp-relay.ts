/**
 * Client for an optional relay of the operator, which captures verification codes sent to the operator's numbers and keeps
 * each for 10 minutes. `GET {OTP_RELAY_URL}/codes/{digits of the number}` returns `{ "code": "123456" }`, or 404.
 */
import { z } from 'zod'
import type { Service } from '../../../context.ts'
import { ApiError } from '../../../platform/contract/errors.ts'
import { OutboundError } from '../../../platform/outbound/outbound.ts'

const RELAY_TIMEOUT_MS = 5000
const CapturedCode = z.object({ code: z.string().regex(/^\d{6}$/) })

/** Null without a relay or a captured code. */
export async function readCapturedCode(service: Service, number: string | null): Promise<string | null> {
  const base = service.config.OTP_RELAY_URL
  const digits = number?.replace(/\D/g, '') ?? ''
  if (base === undefined || digits === '') return null
  try {
    const reply = await service.providerHttp.send({
      method: 'GET',
      url: `${base}/codes/${digits}`,
      timeoutMs: RELAY_TIMEOUT_MS,
    })
    if (reply.status === 404) return null
    if (reply.status === 200) return CapturedCode.parse(JSON.parse(Buffer.from(reply.bytes).toString())).code
    throw unavailable(new Error(`The relay returned status ${reply.status}`))
  } catch (error) {
    const isBroken =
      error instanceof OutboundError || error instanceof SyntaxError || error instanceof z.ZodError
    throw isBroken ? unavailable(error) : error
  }
}

const unavailable = (cause: unknown) =>
  new ApiError(
    'chatapp_otp_relay_unavailable',
    'The relay for verification codes is not available; pass the code in the request.',
    {
      cause,
      retryAfter: 30,
    },
  )
