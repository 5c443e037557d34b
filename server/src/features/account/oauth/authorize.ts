/** `/oauth/authorize`: sign-in, choice of a profile and consent, on one server-rendered page. */
import { createHmac } from 'node:crypto'
import type { AnyContext, Service, UserCaller } from '../../../context.ts'
import { signIn } from '../../../platform/access/accounts.ts'
import { authenticateBearer } from '../../../platform/access/authenticate.ts'
import { challengeCookieName } from '../../../platform/access/factors/challenges.ts'
import { rememberedCookieName } from '../../../platform/access/factors/remembered.ts'
import { finishSignIn, type Pending } from '../../../platform/access/factors/sign-in.ts'
import { accountDeviceName } from '../../../platform/access/known-devices.ts'
import { findWorkspaceRole } from '../../../platform/access/queries.ts'
import { requireSignInPolicy } from '../../../platform/access/sign-in-policy.ts'
import { cookiesOf } from '../../../platform/access/signed-in.ts'
import { getUser } from '../../../platform/access/user-queries.ts'
import { ApiError } from '../../../platform/contract/errors.ts'
import { isSameOrigin, sessionCookieName } from '../../../platform/http/credentials.ts'
import type { Html } from '../../../platform/http/html.ts'
import { type PageReply, type PageRequest, readForm } from '../../../platform/http/page-route.ts'
import { type MasterKey, subkey } from '../../../platform/secrets/keyring.ts'
import { isSameSecret } from '../../../platform/secrets/tokens.ts'
import { listProfilesOfUser } from '../profiles/queries.ts'
import { findClient } from './clients.ts'
import { canGrant, issueCode } from './codes.ts'
import { resourcesOf } from './metadata.ts'
import {
  consentPage,
  type ProfileChoice,
  pageHeaders,
  refusalPage,
  secondFactorPage,
  signInPage,
} from './page.ts'
import {
  type AuthorizationRequest,
  type Client,
  checkRequest,
  destinationOf,
  matchesRedirect,
  toRedirect,
} from './rules.ts'
import { grantedScopes } from './scope-meanings.ts'

type Flow = { client: Client; request: AuthorizationRequest; action: string }

const show = (status: number, body: Html, redirectUri: string | null = null): PageReply => ({
  status,
  headers: pageHeaders(redirectUri),
  body,
})

export async function getAuthorize(service: Service, page: PageRequest): Promise<PageReply> {
  const opened = await openFlow(service, page)
  return 'reply' in opened ? opened.reply : showStep(service, page, opened.flow, null)
}

export async function postAuthorize(service: Service, page: PageRequest): Promise<PageReply> {
  if (!isSameOrigin(page)) return show(403, refusalPage('The form was sent from another site.'))
  const opened = await openFlow(service, page)
  if ('reply' in opened) return opened.reply
  const form = readForm(page) ?? {}
  return form.step === 'sign_in' || form.step === 'second_factor'
    ? signInHere(service, page, opened.flow, form)
    : decide(service, page, opened.flow, form)
}

/** An unknown client or redirect URI gets an error page and no redirect: the target is not trusted. */
async function openFlow(service: Service, page: PageRequest): Promise<{ flow: Flow } | { reply: PageReply }> {
  const { query } = page
  const client = await findClient(service, query.client_id ?? '', page.ip)
  if (client === undefined) return { reply: show(400, refusalPage('This app is not registered.')) }
  const redirectUri = query.redirect_uri ?? ''
  if (!matchesRedirect(client.redirectUris, redirectUri))
    return { reply: show(400, refusalPage('The redirect address is not registered for this app.')) }
  const checked = checkRequest(client, query, resourcesOf(service))
  if (!checked.ok)
    return {
      reply: redirectBack(service, redirectUri, query.state ?? null, {
        error: checked.error,
        error_description: checked.description,
      }),
    }
  const action = `${service.config.BASE_PATH}/oauth/authorize?${new URLSearchParams(query).toString()}`
  return { flow: { client, request: checked.request, action } }
}

function redirectBack(
  service: Service,
  redirectUri: string,
  state: string | null,
  answer: Record<string, string>,
): PageReply {
  const location = toRedirect(redirectUri, { ...answer, state, iss: service.config.BASE_URL })
  return { status: 303, headers: { ...pageHeaders(redirectUri), location }, body: null }
}

async function findPerson(service: Service, page: PageRequest): Promise<UserCaller | undefined> {
  const token = page.cookie(sessionCookieName(service))
  const caller = token === undefined ? undefined : await authenticateBearer(service, token)
  return caller?.kind === 'user' && caller.via === 'session' ? caller : undefined
}

async function showStep(
  service: Service,
  page: PageRequest,
  flow: Flow,
  problem: string | null,
): Promise<PageReply> {
  const { client, request, action } = flow
  const person = await findPerson(service, page)
  if (person === undefined || problem !== null)
    return show(
      problem === null ? 200 : 401,
      signInPage({
        clientName: client.name,
        destination: destinationOf(request.redirectUri),
        action,
        problem,
      }),
      request.redirectUri,
    )
  const user = await getUser(service.db, person.userId)
  const body = consentPage({
    clientName: client.name,
    destination: destinationOf(request.redirectUri),
    isTrusted: await isTrusted(service, client, person.userId),
    action,
    person: user.email,
    scopes: grantedScopes(request),
    isAdoption: request.plan?.adoption ?? false,
    profiles: request.plan === null ? null : await choicesFor(service, person.userId, request),
    seal: consentSeal(service.keyring.current, person, request),
  })
  return show(200, body, request.redirectUri)
}

/** Anyone can register an app. Trusted are those that the operator lists, and those of the person's own workspaces. */
async function isTrusted(service: Service, client: Client, userId: string): Promise<boolean> {
  if (service.config.KNOWN_APPS.includes(client.clientId)) return true
  if (client.kind !== 'partner') return false
  return (await findWorkspaceRole(service.db, { workspaceId: client.workspaceId, userId })) !== undefined
}

/** HMAC that binds the decision to the consent shown and to the person's session. */
function consentSeal(key: MasterKey, person: UserCaller, request: AuthorizationRequest): string {
  const { clientId, redirectUri, state, codeChallenge, scopes } = request
  const text = JSON.stringify([person.credentialId, clientId, redirectUri, state, codeChallenge, scopes])
  return createHmac('sha256', subkey(key, 'oauth-consent')).update(text).digest('base64url')
}

const refusals: Record<string, string> = {
  forbidden: 'you may only view it',
  permission_missing: 'the app requests more than you are allowed to do there',
  adoption_forbidden: 'only an admin or owner of its workspace can hand it over',
  healthcare_scope_forbidden: 'healthcare: personal data is never shared',
}

async function choicesFor(
  service: Service,
  userId: string,
  request: AuthorizationRequest,
): Promise<ProfileChoice[]> {
  const profiles = await listProfilesOfUser(service.db, { userId, workspaceId: null })
  const choices: ProfileChoice[] = []
  for (const { id, name } of profiles) {
    const verdict = await canGrant(service.db, { userId, profileId: id, plan: request.plan! })
    choices.push({ id, name, refused: verdict.ok ? null : (refusals[verdict.reason] ?? 'not possible') })
  }
  return choices
}

async function signInHere(
  service: Service,
  page: PageRequest,
  flow: Flow,
  form: Record<string, string>,
): Promise<PageReply> {
  const context: AnyContext = {
    service,
    db: service.db,
    now: service.clock.now(),
    log: service.log,
    requestId: page.requestId,
    ip: page.ip,
    userAgent: page.headers['user-agent'] ?? '',
    wantsCookie: true,
    caller: { kind: 'anonymous' },
  }
  const browser = {
    device: page.cookie(accountDeviceName(service)),
    remembered: page.cookie(rememberedCookieName(service)),
    challenge: page.cookie(challengeCookieName(service)),
  }
  try {
    const result =
      form.step === 'second_factor'
        ? await finishSignIn(
            context,
            { challenge: form.challenge ?? '', ...proofOf(form.code ?? '') },
            browser,
          )
        : await signIn(context, { email: form.email ?? '', password: form.password ?? '' }, browser)
    if ('pending' in result) return askSecondFactor(flow, result)
    return {
      status: 303,
      headers: { ...pageHeaders(null), location: flow.action },
      cookies: cookiesOf(context, result),
      body: null,
    }
  } catch (error) {
    if (!(error instanceof ApiError) || error.status >= 500) throw error
    return showStep(service, page, flow, error.message)
  }
}

/** One field for both: codes of apps have six digits, recovery codes ten characters. */
const proofOf = (text: string) => (/^[\d\s]{6,8}$/.test(text) ? { code: text } : { recovery_code: text })

function askSecondFactor({ client, request, action }: Flow, { pending }: Pending): PageReply {
  const body = secondFactorPage({ clientName: client.name, action, challenge: pending.token })
  const shown = show(200, body, request.redirectUri)
  return pending.cookie === null ? shown : { ...shown, cookies: [pending.cookie] }
}

async function decide(
  service: Service,
  page: PageRequest,
  flow: Flow,
  form: Record<string, string>,
): Promise<PageReply> {
  const { client, request } = flow
  const person = await findPerson(service, page)
  if (person === undefined) return showStep(service, page, flow, 'Your session ended; sign in again.')
  const { keys } = service.keyring
  if (!keys.some((key) => isSameSecret(form.seal ?? '', consentSeal(key, person, request))))
    return show(400, refusalPage('The form does not belong to this request.'))
  const reply = (parameters: Record<string, string>) =>
    redirectBack(service, request.redirectUri, request.state, parameters)
  if (form.decision !== 'approve')
    return reply({ error: 'access_denied', error_description: 'The person declined.' })
  const { userId } = person
  if (request.plan === null)
    return reply({ code: await issueCode(service, client, request, { userId, profileId: null }) })
  const profileId = form.profile_id ?? ''
  const profiles = await listProfilesOfUser(service.db, { userId, workspaceId: null })
  const chosen = profiles.find((profile) => profile.id === profileId)
  if (chosen === undefined) return show(400, refusalPage('Choose one of your profiles.'))
  try {
    await requireSignInPolicy(service, person, { workspaceId: chosen.workspace_id })
  } catch (error) {
    if (!(error instanceof ApiError)) throw error
    return show(403, refusalPage(error.message))
  }
  const verdict = await canGrant(service.db, { userId, profileId, plan: request.plan })
  if (!verdict.ok) return reply({ error: 'access_denied', error_description: verdict.reason })
  return reply({ code: await issueCode(service, client, request, { userId, profileId }) })
}
