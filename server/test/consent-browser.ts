/** A person at the consent page, without a real browser. */
import { createHash, randomBytes } from 'node:crypto'
import { expect } from 'vitest'
import type { TestApp } from './app.ts'
import { PASSWORD, type PartnerApp, type Person } from './make.ts'

/** A minimal browser: follows no redirects and keeps the session cookie. */
export class ConsentBrowser {
  cookie = ''
  private readonly baseUrl: string

  constructor(baseUrl: string) {
    this.baseUrl = baseUrl
  }

  async get(url: string | URL): Promise<Response> {
    return this.keep(
      await fetch(new URL(url, this.baseUrl), { headers: { cookie: this.cookie }, redirect: 'manual' }),
    )
  }

  async submit(
    page: string,
    fields: Record<string, string>,
    headers: Record<string, string> = {},
  ): Promise<Response> {
    const action = /<form method="post" action="([^"]+)"/.exec(page)![1]!.replaceAll('&amp;', '&')
    const hidden = [...page.matchAll(/type="hidden" name="(\w+)" value="([^"]*)"/g)].map(
      (match): [string, string] => [match[1]!, match[2]!],
    )
    return this.keep(
      await fetch(new URL(action, this.baseUrl), {
        method: 'POST',
        redirect: 'manual',
        headers: { cookie: this.cookie, origin: this.baseUrl, ...headers },
        body: new URLSearchParams([...hidden, ...Object.entries(fields)]),
      }),
    )
  }

  private keep(reply: Response): Response {
    const [set] = reply.headers.getSetCookie()
    if (set !== undefined) this.cookie = set.split(';')[0]!
    return reply
  }

  async signIn(url: URL, person: Person): Promise<void> {
    const first = await (await this.get(url)).text()
    const signedIn = await this.submit(first, { email: person.email, password: PASSWORD })
    expect([signedIn.status, signedIn.headers.get('location')]).toEqual([303, `${url.pathname}${url.search}`])
  }

  /** Gives consent with the console's session cookie. */
  async agree(url: URL, person: Person, fields: Record<string, string>): Promise<URL> {
    if (this.cookie === '') this.cookie = `__Host-whence_session=${person.token}`
    const consent = await (await this.get(url)).text()
    const decided = await this.submit(consent, { decision: 'approve', ...fields })
    expect(decided.status).toBe(303)
    return new URL(decided.headers.get('location')!)
  }
}

export type Consented = { access_token: string; connections_key?: string; error?: string }

/** A person authorizes a partner app for a profile on the consent page, and the app gets its keys. */
export async function authorizePartner(
  app: TestApp,
  partner: PartnerApp,
  person: Person,
  request: { scope: string; profileId: string },
): Promise<Consented> {
  const verifier = randomBytes(32).toString('base64url')
  const redirectUri = 'https://partner.example/callback'
  const url = new URL('/oauth/authorize', app.baseUrl)
  url.search = new URLSearchParams({
    response_type: 'code',
    client_id: partner.clientId,
    redirect_uri: redirectUri,
    scope: request.scope,
    code_challenge: createHash('sha256').update(verifier).digest('base64url'),
    code_challenge_method: 'S256',
  }).toString()
  const back = await new ConsentBrowser(app.baseUrl).agree(url, person, { profile_id: request.profileId })
  const code = back.searchParams.get('code')
  if (code === null) return { access_token: '', error: back.searchParams.get('error_description') ?? '' }
  const reply = await fetch(new URL('/oauth/token', app.baseUrl), {
    method: 'POST',
    headers: { authorization: partner.basic },
    body: new URLSearchParams({
      grant_type: 'authorization_code',
      code,
      redirect_uri: redirectUri,
      code_verifier: verifier,
    }),
  })
  return (await reply.json()) as Consented
}
