/** A minimal browser: stores cookies, follows no redirects. */
export type Visitor = {
  /** Sends a request and stores the response's cookies. */
  open(url: string, headers?: Record<string, string>): Promise<VisitedPage>
  cookies: Map<string, string>
  /** Lets this many seconds pass; cookies with a shorter lifetime expire. */
  age(seconds: number): void
}

export type VisitedPage = { status: number; location: string | null; text: string; headers: Headers }

export function makeVisitor(): Visitor {
  const cookies = new Map<string, string>()
  const secondsLeft = new Map<string, number>()
  return {
    cookies,
    age(seconds) {
      for (const [name, remaining] of secondsLeft) {
        secondsLeft.set(name, remaining - seconds)
        if (remaining <= seconds) cookies.delete(name)
      }
    },
    async open(url, headers = {}) {
      const cookie = [...cookies].map(([name, value]) => `${name}=${value}`).join('; ')
      const reply = await fetch(url, {
        redirect: 'manual',
        headers: { ...(cookie === '' ? {} : { cookie }), ...headers },
      })
      for (const line of reply.headers.getSetCookie()) {
        const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(line) ?? []
        if (/max-age=0/i.test(line)) cookies.delete(name)
        else cookies.set(name, value)
        const seconds = /max-age=(\d+)/i.exec(line)?.[1]
        if (seconds !== undefined) secondsLeft.set(name, Number(seconds))
      }
      return {
        status: reply.status,
        location: reply.headers.get('location'),
        text: await reply.text(),
        headers: reply.headers,
      }
    },
  }
}

/** Walks from the start link through the provider's screen; returns the callback URL without requesting it. */
export async function consent(visitor: Visitor, startUrl: string, choice: string): Promise<string> {
  const started = await visitor.open(startUrl)
  if (started.status !== 303 || started.location === null)
    throw new Error(`The start link returned ${started.status}: ${started.text}`)
  const screen = await visitor.open(started.location)
  const link = new RegExp(`data-choice="${choice}" href="([^"]+)"`)
    .exec(screen.text)?.[1]
    ?.replaceAll('&amp;', '&')
  if (link === undefined) throw new Error(`No choice ${choice}: ${screen.status} ${screen.text}`)
  const back = await visitor.open(link)
  if (back.location === null) throw new Error(`The provider returned ${back.status}: ${back.text}`)
  return back.location
}

/** Walks the complete consent; returns the response of the callback. */
export async function walkConsent(visitor: Visitor, startUrl: string, choice: string): Promise<VisitedPage> {
  return visitor.open(await consent(visitor, startUrl, choice))
}
