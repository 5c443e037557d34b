/** Support for a path prefix (BASE_PATH) in requests, cookies and relative links. */
import type { Config } from '../../config.ts'

type Prefix = Pick<Config, 'BASE_PATH'>

/**
 * Strips the prefix; a path without it is unchanged, for proxies that strip it themselves and for health checks.
 * The metadata of an issuer with a path is at `/.well-known/<name>/<path>` (RFC 8414, RFC 9728).
 */
export function withoutBasePath({ BASE_PATH }: Prefix, url: string): string {
  if (BASE_PATH === '') return url
  const [, wellKnown, path = url] = /^(\/\.well-known\/[\w-]+)(\/.*)$/.exec(url) ?? []
  if (!path.startsWith(BASE_PATH)) return url
  const inside = path.slice(BASE_PATH.length)
  if (inside !== '' && !/^[/?]/.test(inside)) return url
  if (wellKnown !== undefined) return `${wellKnown}${inside}`
  return inside.startsWith('/') ? inside : `/${inside}`
}

/**
 * `__Host-` binds a cookie to this host and to the path `/`. With a prefix, the host runs other services that must not receive the cookie, so its path is the prefix.
 */
export function cookieName({ BASE_PATH }: Prefix, name: string): string {
  return `${BASE_PATH === '' ? '__Host-' : '__Secure-'}whence_${name}`
}

/** Secure, HttpOnly; SameSite=Lax excludes it from cross-site POST requests. */
export function setCookie(config: Prefix, cookie: { name: string; value: string; seconds: number }): string {
  const { name, value, seconds } = cookie
  const path = config.BASE_PATH || '/'
  return `${cookieName(config, name)}=${value}; Path=${path}; Max-Age=${seconds}; HttpOnly; Secure; SameSite=Lax`
}
