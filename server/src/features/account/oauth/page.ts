/** The consent page: no scripts, no external resources, and forms that can only submit here and redirect to the client. */
import { createHash } from 'node:crypto'
import type { Scope } from '../../../platform/contract/access.ts'
import { type Html, html } from '../../../platform/http/html.ts'
import { scopeMeanings } from './scope-meanings.ts'

const style = `:root{color-scheme:light dark}
body{margin:0;min-height:100vh;display:grid;place-items:center;font:1.0625rem/1.5 system-ui,sans-serif;background:Canvas;color:CanvasText}
main{box-sizing:border-box;width:100%;max-width:28rem;padding:2rem 1.25rem}
h1{font-size:1.5rem;line-height:1.25;margin:0 0 .75rem;overflow-wrap:anywhere}
h2{font-size:1rem;margin:0 0 .25rem;overflow-wrap:anywhere}
p,ul,fieldset{margin:0 0 1rem;overflow-wrap:anywhere}
ul{padding-left:1.25rem}
fieldset{border:1px solid GrayText;border-radius:.5rem;padding:.5rem 1rem}
label{display:block;padding:.375rem 0}
input[type=email],input[type=password]{display:block;box-sizing:border-box;width:100%;min-height:2.75rem;padding:.5rem;font:inherit;border:1px solid GrayText;border-radius:.375rem;background:Field;color:FieldText}
button{min-height:3rem;padding:.75rem 1.25rem;border:0;border-radius:.5rem;font:inherit;font-weight:600;background:#1d4ed8;color:#fff;cursor:pointer}
button.plain{background:transparent;color:inherit;text-decoration:underline}
:focus-visible{outline:3px solid CanvasText;outline-offset:2px}
[role=alert]{border-left:4px solid #b91c1c;padding-left:.75rem}`

const styleHash = createHash('sha256').update(style).digest('base64')

/** `form-action` also applies to the redirect after a form, so the client's address has to be allowed. */
export function pageHeaders(redirectUri: string | null): Record<string, string> {
  return {
    'content-security-policy': [
      "default-src 'none'",
      `style-src 'sha256-${styleHash}'`,
      "base-uri 'none'",
      `form-action 'self'${redirectUri === null ? '' : ` ${sourceOf(redirectUri)}`}`,
      "frame-ancestors 'none'",
    ].join('; '),
    'referrer-policy': 'same-origin',
    'x-frame-options': 'DENY',
    'x-robots-tag': 'noindex, nofollow',
  }
}

function sourceOf(redirectUri: string): string {
  const url = new URL(redirectUri)
  return url.protocol === 'http:' || url.protocol === 'https:' ? url.origin : url.protocol
}

function shell(title: string, body: Html): Html {
  return html`<html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1"><title>${title} · Whence</title><style>${{ html: style }}</style></head>
<body><main><h1>${title}</h1>${body}</main></body></html>`
}

export function refusalPage(message: string): Html {
  return shell(
    'This request cannot continue',
    html`<p role="alert">${message}</p><p>Go back to the app you came from and try again.</p>`,
  )
}

export function signInPage(subject: {
  clientName: string
  destination: string
  action: string
  problem: string | null
}): Html {
  const { clientName, destination, action, problem } = subject
  const alert = problem === null ? null : html`<p role="alert">${problem}</p>`
  return shell(
    `Sign in to continue to ${clientName}`,
    html`${alert}<p>You will return to <strong>${destination}</strong>.</p><form method="post" action="${action}"><input type="hidden" name="step" value="sign_in">
<label>Email <input type="email" name="email" autocomplete="username" required></label>
<label>Password <input type="password" name="password" autocomplete="current-password" required></label>
<p><button type="submit">Sign in</button></p></form>`,
  )
}

export function secondFactorPage(subject: { clientName: string; action: string; challenge: string }): Html {
  return shell(
    `Sign in to continue to ${subject.clientName}`,
    html`<p>Your account has a second factor. With a passkey only: sign in to Whence in another tab, then open this page again.</p><form method="post" action="${subject.action}"><input type="hidden" name="step" value="second_factor"><input type="hidden" name="challenge" value="${subject.challenge}">
<label>Code of your authenticator app, or a recovery code <input name="code" autocomplete="one-time-code" required></label>
<p><button type="submit">Sign in</button></p></form>`,
  )
}

const adoptionText =
  'Take over this profile: show the app’s name and logo on the pages where accounts are connected, send people back to its addresses, and see every account connected there. The app can neither archive the profile nor switch attribution off, and you can end this at any time under Connected apps'

export type ProfileChoice = { id: string; name: string; refused: string | null }

export function consentPage(subject: {
  clientName: string
  /** Host or app that receives the response. */
  destination: string
  isTrusted: boolean
  action: string
  person: string
  scopes: readonly Scope[]
  isAdoption: boolean
  /** Null if the client gets access to all profiles of the person. */
  profiles: readonly ProfileChoice[] | null
  seal: string
}): Html {
  const canApprove = subject.profiles === null || subject.profiles.some((profile) => profile.refused === null)
  return shell(
    `Allow access for ${subject.clientName}?`,
    html`<p>You are signed in as ${subject.person}. ${subject.clientName} requests the following access.</p>
${effectList(`Read, and receive at ${subject.destination}:`, scopeMeanings(subject.scopes, 'read'))}
${effectList('Change here:', [...scopeMeanings(subject.scopes, 'change'), ...(subject.isAdoption ? [adoptionText] : [])])}
${effectList('Send to other services:', scopeMeanings(subject.scopes, 'send'))}
<p>Your decision is sent to <strong>${subject.destination}</strong>.</p>
${subject.isTrusted ? null : html`<p role="alert">This app is not verified. Anyone can register an app under any name: continue only if you came from ${subject.destination} and trust it.</p>`}
<form method="post" action="${subject.action}"><input type="hidden" name="step" value="decide"><input type="hidden" name="seal" value="${subject.seal}">
${subject.profiles === null ? html`<p>This covers every profile that you can open.</p>` : profileField(subject.profiles)}
<p>${canApprove ? html`<button type="submit" name="decision" value="approve">Allow</button> ` : null}<button class="plain" type="submit" name="decision" value="deny" formnovalidate>Cancel</button></p></form>`,
  )
}

function effectList(heading: string, texts: readonly string[]): Html | null {
  if (texts.length === 0) return null
  return html`<h2>${heading}</h2><ul>${texts.map((text) => html`<li>${text}</li>`)}</ul>`
}

function profileField(profiles: readonly ProfileChoice[]): Html {
  if (profiles.length === 0) return html`<p role="alert">You have no profile to share.</p>`
  const only = profiles.length === 1
  const choices = profiles.map((profile) =>
    profile.refused === null
      ? html`<label><input type="radio" name="profile_id" value="${profile.id}" required ${only ? 'checked' : ''}> ${profile.name}</label>`
      : html`<label><input type="radio" name="profile_id" value="${profile.id}" disabled> ${profile.name} (${profile.refused})</label>`,
  )
  return html`<fieldset><legend>For which profile?</legend>${choices}</fieldset>`
}
