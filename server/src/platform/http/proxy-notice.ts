/** Behind a proxy that is not in TRUST_PROXY every visitor has the proxy's address: that is said, not guessed at. */
import type { Config } from '../../config.ts'
import type { Log } from '../log.ts'

export type ProxyNotice = {
  /** Looks at a request's headers; the first forwarded one is logged. */
  see(headers: Record<string, unknown>): void
  /** What an operator should change; undefined where nothing is wrong. */
  warning(): string | undefined
}

const advice =
  'set TRUST_PROXY to its address, or everybody behind it shares one sign-in limit and no country is known.'

export function createProxyNotice(config: Pick<Config, 'TRUST_PROXY' | 'BASE_URL'>, log: Log): ProxyNotice {
  let warning: string | undefined
  const say = (text: string) => {
    warning = text
    log.warn(text)
  }
  const isTrusted = config.TRUST_PROXY.length > 0
  // The service itself speaks plain HTTP, so somebody else ends TLS.
  if (!isTrusted && config.BASE_URL.startsWith('https:'))
    say(`BASE_URL is https, so there is a proxy in front: ${advice}`)
  let isSeen = isTrusted
  return {
    see(headers) {
      if (isSeen || (headers['x-forwarded-for'] === undefined && headers.forwarded === undefined)) return
      isSeen = true
      say(`A request came through a proxy (X-Forwarded-For) that is not trusted: ${advice}`)
    },
    warning: () => warning,
  }
}
