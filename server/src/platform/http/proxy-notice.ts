/** Warns about a proxy that is not in TRUST_PROXY: all visitors then appear to have the proxy's address. */
import type { Config } from '../../config.ts'
import type { Log } from '../log.ts'

export type ProxyNotice = {
  /** Inspects a request's headers; logs the first forwarded request. */
  see(headers: Record<string, unknown>): void
  /** Advice for the operator; undefined if there is no problem. */
  warning(): string | undefined
}

const advice =
  'set TRUST_PROXY to its address, otherwise all visitors share one sign-in limit and countries are unknown.'

export function createProxyNotice(config: Pick<Config, 'TRUST_PROXY' | 'BASE_URL'>, log: Log): ProxyNotice {
  let warning: string | undefined
  const warn = (text: string) => {
    warning = text
    log.warn(text)
  }
  const isTrusted = config.TRUST_PROXY.length > 0
  // The service itself serves plain HTTP, so a proxy must terminate TLS.
  if (!isTrusted && config.BASE_URL.startsWith('https:'))
    warn(`BASE_URL is https, so there is a proxy in front: ${advice}`)
  let isSeen = isTrusted
  return {
    see(headers) {
      if (isSeen || (headers['x-forwarded-for'] === undefined && headers.forwarded === undefined)) return
      isSeen = true
      warn(`A request came through a proxy (X-Forwarded-For) that is not trusted: ${advice}`)
    },
    warning: () => warning,
  }
}
