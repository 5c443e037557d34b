/**
 * The consent screen that all sandboxes share: one page with a plain link per outcome. A link leads to
 * `/consent/<choice>` with the original query, which redirects back to the caller.
 */
import type { SandboxReply, SandboxRequest } from './sandbox.ts'
import type { CodeRequest } from './tokens.ts'

export const consentChoices = {
  'approve-one': ['Approve one account', 'Gives access to the first account.'],
  'approve-several': ['Approve several accounts', 'Gives access to every account below.'],
  decline: ['Decline', 'The person refuses consent.'],
  'deny-app': ['Refuse the app', 'The provider does not allow this app.'],
  'provider-error': ['Provider error', 'The provider returns an error of its own.'],
  'no-code': ['No code', 'The provider redirects back without a code.'],
  'bad-code': ['Bad code', 'The code will be refused when it is exchanged.'],
  nothing: ['Nothing to connect', 'Approves, but the person has no account.'],
  taken: [
    'Account already connected',
    'Approves the first account, which another profile may have connected.',
  ],
  slow: ['Slow provider', 'Approves, and the exchange of the code takes some seconds.'],
} as const satisfies Record<string, readonly [string, string]>
export type ConsentChoice = keyof typeof consentChoices

export type ConsentScreen = {
  /** Display name of the provider. */
  providerName: string
  accounts: readonly { id: string; name: string }[]
  scopes: readonly string[]
  /** Query of the redirect after a refusal, with the provider's own error codes. */
  refusal: Record<'decline' | 'deny-app' | 'provider-error', Record<string, string>>
  issueCode(request: CodeRequest): string
  /** Adds parameters to the redirect in addition to code and state, e.g. a signature. */
  decorate?: (query: URLSearchParams) => void
  /** In this protocol a consent always covers one account. */
  oneAccount?: true
  /** Origins that may receive a code in addition to the sandbox's own. */
  redirectOrigins?: readonly string[]
  slowMs?: number
}

const escapes: Record<string, string> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
}
export const escapeHtml = (text: string) => text.replace(/[&<>"']/g, (character) => escapes[character]!)

const style = `
:root{color-scheme:light dark}
body{font:1rem/1.5 system-ui,sans-serif;margin:0;padding:1.5rem 1rem}
main{max-width:32rem;margin:0 auto}
h1{font-size:1.375rem;line-height:1.25}
ul{padding-left:1.25rem}
nav ul{list-style:none;padding:0;margin:1.5rem 0 0;display:grid;gap:.5rem}
nav a{display:block;padding:.75rem 1rem;border:1px solid;border-radius:.5rem;text-decoration:none;color:inherit}
nav a:hover,nav a:focus-visible{outline:3px solid Highlight;outline-offset:1px}
nav span{display:block;font-size:.875rem}
`

const pageHeaders = {
  'content-type': 'text/html; charset=utf-8',
  'content-security-policy':
    "default-src 'none'; style-src 'unsafe-inline'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
  'referrer-policy': 'no-referrer',
  'x-content-type-options': 'nosniff',
}

/** The consent page; a request that cannot be redirected back to its caller gets an explanation instead. */
export function consentPage(screen: ConsentScreen, request: SandboxRequest, clientId: string): SandboxReply {
  const problem = requestProblem(screen, request, clientId)
  if (problem) return htmlPage(400, 'This request cannot be answered', `<p>${escapeHtml(problem)}</p>`)
  const link = (mark: string, choice: string, [label, hint]: readonly string[], query = request.query) => {
    const href = escapeHtml(`${request.baseUrl}/consent/${choice}?${query}`)
    return `<li><a data-choice="${mark}" href="${href}">${escapeHtml(label!)}<span>${hint}</span></a></li>`
  }
  const links = Object.entries(consentChoices).flatMap(([choice, texts]) => {
    if (screen.oneAccount !== true || choice !== 'approve-several') return [link(choice, choice, texts)]
    const hint = 'A consent covers one account here, so this approves the first. Each has a link below.'
    const otherAccounts = screen.accounts.slice(1).map(({ id, name }) => {
      const query = new URLSearchParams([...request.query, ['account', id]])
      return link(
        'approve-account',
        'approve-one',
        [`Approve ${name}`, 'Gives access to this account.'],
        query,
      )
    })
    return [link(choice, choice, [texts[0], hint]), ...otherAccounts]
  })
  const accounts = screen.accounts.map(({ name }) => `<li>${escapeHtml(name)}</li>`)
  const body = `
<p>An app asks to read the accounts below. This is a sandbox: nothing real is connected.</p>
<h2>Accounts</h2>
<ul>${accounts.join('')}</ul>
<nav aria-label="Answers"><ul>${links.join('\n')}</ul></nav>`
  return htmlPage(200, `${screen.providerName}: allow access?`, body)
}

/** Response to a link of the page. */
export function consentAnswer(
  screen: ConsentScreen,
  request: SandboxRequest,
  clientId: string,
  choice: string,
): SandboxReply {
  if (!Object.hasOwn(consentChoices, choice)) return { status: 404, body: { error: 'not_found' } }
  const problem = requestProblem(screen, request, clientId)
  if (problem) return { status: 400, body: { error: 'invalid_request', error_description: problem } }
  const returnUrl = new URL(request.query.get('redirect_uri')!)
  const answer = answerQuery(screen, request, choice as ConsentChoice)
  for (const [name, value] of Object.entries(answer)) returnUrl.searchParams.set(name, value)
  const state = request.query.get('state')
  if (state !== null) returnUrl.searchParams.set('state', state)
  screen.decorate?.(returnUrl.searchParams)
  return {
    status: 302,
    headers: { location: returnUrl.toString(), 'referrer-policy': 'no-referrer' },
    body: '',
  }
}

function answerQuery(
  screen: ConsentScreen,
  request: SandboxRequest,
  choice: ConsentChoice,
): Record<string, string> {
  const approve = (accounts: readonly { id: string }[], manner: CodeRequest['manner'] = 'good') => ({
    code: screen.issueCode({
      accountIds: accounts.map(({ id }) => id),
      scopes: [...screen.scopes],
      redirectUri: request.query.get('redirect_uri')!,
      codeChallenge: request.query.get('code_challenge'),
      manner,
    }),
  })
  const accountId = request.query.get('account')
  const chosen = screen.accounts.filter(({ id }, index) => (accountId ? id === accountId : index === 0))
  switch (choice) {
    case 'approve-one':
    case 'taken':
      return approve(chosen)
    case 'approve-several':
      return approve(screen.oneAccount ? chosen : screen.accounts)
    case 'nothing':
      return approve([])
    case 'bad-code':
      return approve(chosen, 'refused')
    case 'slow':
      return approve(chosen, 'slow')
    case 'no-code':
      return {}
    case 'decline':
    case 'deny-app':
    case 'provider-error':
      return screen.refusal[choice]
  }
}

function requestProblem(screen: ConsentScreen, request: SandboxRequest, clientId: string): string | null {
  if (request.query.get('client_id') !== clientId) return 'The client_id is not registered.'
  const redirect = URL.parse(request.query.get('redirect_uri') ?? '')
  // Any other target would make the sandbox an open redirect on the service's own origin.
  const allowed = [new URL(request.baseUrl).origin, ...(screen.redirectOrigins ?? [])]
  if (!redirect || !allowed.includes(redirect.origin)) return 'The redirect_uri is not registered.'
  const challenge = request.query.get('code_challenge')
  if (challenge !== null && request.query.get('code_challenge_method') !== 'S256') {
    return 'Only S256 is accepted as code_challenge_method.'
  }
  return null
}

export function htmlPage(status: number, title: string, body: string): SandboxReply {
  const heading = escapeHtml(title)
  return {
    status,
    headers: pageHeaders,
    body: `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${heading}</title>
<style>${style}</style>
</head>
<body>
<main>
<h1>${heading}</h1>
${body}
</main>
</body>
</html>
`,
  }
}
