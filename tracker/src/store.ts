// Browser storage, with memory as a fallback if it is blocked or full.
const PREFIX = 'whence.'
const COOKIE = 'whence'
const PROBE = 'whence_probe'
const COOKIE_SECONDS = 400 * 86_400
const memory: Record<string, string> = {}

export function read(name: string): string | undefined {
  try {
    return localStorage.getItem(PREFIX + name) ?? memory[name]
  } catch {
    return memory[name]
  }
}

export function write(name: string, value: string): void {
  try {
    localStorage.setItem(PREFIX + name, value)
    delete memory[name]
  } catch {
    memory[name] = value
  }
}

export function erase(name: string): void {
  delete memory[name]
  try {
    localStorage.removeItem(PREFIX + name)
  } catch {
    // Blocked storage contains nothing.
  }
}

export function names(): string[] {
  let stored: string[] = []
  try {
    stored = Object.keys(localStorage)
      .filter((name) => name.startsWith(PREFIX))
      .map((name) => name.slice(PREFIX.length))
  } catch {
    // Blocked storage contains nothing.
  }
  return stored.concat(Object.keys(memory))
}

export function readJson<T>(name: string, fallback: T): T {
  try {
    return JSON.parse(read(name) || '') as T
  } catch {
    return fallback
  }
}

export function writeJson(name: string, value: unknown): void {
  write(name, JSON.stringify(value))
}

let domain: string | undefined

function putCookie(name: string, value: string, seconds: number, on: string): void {
  const secure = location.protocol === 'https:' ? ';secure' : ''
  // biome-ignore lint/suspicious/noDocumentCookie: the cookie store API is missing in two of three engines
  document.cookie = `${name}=${value};path=/;max-age=${seconds};samesite=lax${secure}${on && `;domain=${on}`}`
}

function hasCookie(name: string): boolean {
  return readCookie(name) !== undefined
}

export function readCookie(name: string): string | undefined {
  return new RegExp(`(?:^|; )${name}=([^;]*)`).exec(document.cookie)?.[1]
}

/** The site is the widest domain on which a cookie can be set, because browsers block cookies on public suffixes. */
function findDomain(): string {
  const labels = location.hostname.split('.')
  if (/^[\d.]+$|:/.test(location.hostname)) return ''
  for (let index = labels.length - 2; index >= 0; index--) {
    const candidate = labels.slice(index).join('.')
    putCookie(PROBE, '1', 10, candidate)
    const isSet = hasCookie(PROBE)
    putCookie(PROBE, '', 0, candidate)
    if (isSet) return candidate
  }
  return ''
}

/** The host whose subdomains count as this site. */
export function siteHost(): string {
  return domain || location.hostname
}

export function readVisitorText(): string | undefined {
  return readCookie(COOKIE) || read('visitor')
}

export function writeVisitorText(text: string): void {
  if (domain === undefined) domain = findDomain()
  putCookie(COOKIE, text, COOKIE_SECONDS, domain)
  write('visitor', text)
}

export function eraseAll(): void {
  // Marked by the owner, about no visitor.
  for (const name of names()) if (name !== 'own') erase(name)
  if (hasCookie(COOKIE)) putCookie(COOKIE, '', 0, domain ?? findDomain())
}
