/** The consent page and its outcomes. No script, no form, no third-party content. */
import { createHash } from 'node:crypto'
import { type Html, html } from '../../../platform/http/html.ts'
import type { Reason } from './rules.ts'

const style = `:root{color-scheme:light dark}
body{margin:0;min-height:100vh;display:grid;place-items:center;font:1.0625rem/1.5 system-ui,sans-serif;background:Canvas;color:CanvasText}
main{box-sizing:border-box;width:100%;max-width:26rem;padding:2rem 1.25rem}
header{display:flex;align-items:center;gap:.75rem;margin:0 0 1.5rem;font-weight:600}
header img{width:2.5rem;height:2.5rem;object-fit:contain;border-radius:.375rem}
h1{font-size:1.5rem;line-height:1.25;margin:0 0 .75rem;overflow-wrap:anywhere}
p{margin:0 0 1rem;overflow-wrap:anywhere}
a.go{display:block;box-sizing:border-box;min-height:3rem;padding:.75rem 1rem;border-radius:.5rem;background:#1d4ed8;color:#fff;font-weight:600;text-align:center;text-decoration:none}
a.go:focus-visible{outline:3px solid CanvasText;outline-offset:3px}
small{display:block;font-size:.9375rem}`

/** Allows only this style, and images of the service itself. */
export const pageHeaders: Record<string, string> = {
  'content-security-policy': [
    "default-src 'none'",
    `style-src 'sha256-${createHash('sha256').update(style).digest('base64')}'`,
    "img-src 'self'",
    "base-uri 'none'",
    "form-action 'none'",
    "frame-ancestors 'none'",
  ].join('; '),
  // The address is a capability: it must not leak as a referrer or into a search index.
  'referrer-policy': 'no-referrer',
  'x-robots-tag': 'noindex, nofollow',
  'x-frame-options': 'DENY',
}

export type Brand = { name: string; logoSrc: string | null }

function shell(brand: Brand, title: string, body: Html): Html {
  const logo =
    brand.logoSrc === null ? null : html`<img src="${brand.logoSrc}" alt="" width="40" height="40">`
  return html`<html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1"><title>${title} · ${brand.name}</title><style>${{ html: style }}</style></head>
<body><main><header>${logo}<span>${brand.name}</span></header><h1>${title}</h1>${body}</main></body></html>`
}

export function consentPage(
  brand: Brand,
  subject: { providerName: string; clientName: string; startUrl: string },
): Html {
  const { providerName, clientName, startUrl } = subject
  return shell(
    brand,
    `Connect ${providerName} for ${clientName}`,
    html`<p>You are about to let ${brand.name} use the ${providerName} account of <strong>${clientName}</strong>. ${providerName} will ask you to sign in and to agree.</p>
<p><a class="go" href="${startUrl}">Continue to ${providerName}</a></p>
<p><small>You can close this page if you did not expect it. Nothing happens until you agree at ${providerName}.</small></p>`,
  )
}

export function checkoutPage(
  brand: Brand,
  subject: { plan: string; clientName: string; startUrl: string },
): Html {
  return shell(
    brand,
    `Pay for the plan ${subject.plan}`,
    html`<p>The workspace <strong>${subject.clientName}</strong> requests the plan ${subject.plan}.</p>
<p><a class="go" href="${subject.startUrl}">Continue to payment</a></p>`,
  )
}

export function donePage(brand: Brand, text: { title: string; message: string }): Html {
  return shell(brand, text.title, html`<p role="status">${text.message}</p>`)
}

type Advice = { title: string; message: (provider: string) => string; sameLink: boolean }

/** For each failure reason: what happened and what the person can do. */
const advice: Record<Reason, Advice> = {
  user_cancelled: {
    title: 'You cancelled',
    message: (provider) =>
      `Nothing was connected. If you want to connect ${provider} after all, ask for a new link.`,
    sameLink: false,
  },
  provider_denied: {
    title: 'Access was refused',
    message: (provider) =>
      `${provider} refused access to this app. The owner of the account must allow the app at ${provider}; then ask for a new link.`,
    sameLink: false,
  },
  provider_error: {
    title: 'The provider had a problem',
    message: (provider) => `${provider} reported an error. Wait a few minutes, then ask for a new link.`,
    sameLink: false,
  },
  token_exchange_failed: {
    title: 'The connection was not accepted',
    message: (provider) =>
      `${provider} did not accept the code that it had just issued. Ask for a new link and try again. If this happens again, inform the person who sent it.`,
    sameLink: false,
  },
  account_connected_elsewhere: {
    title: 'This account is already connected',
    message: (provider) =>
      `This ${provider} account is connected to another client of the same workspace. Disconnect it there first, then ask for a new link.`,
    sameLink: false,
  },
  no_candidates: {
    title: 'There is nothing to connect',
    message: (provider) =>
      `You agreed, but your login has no account at ${provider} that can be connected. Get access to one, or have a person with access open a new link.`,
    sameLink: false,
  },
  connect_failed: {
    title: 'The connection could not be saved',
    message: () => 'You agreed, but saving failed on our side. Ask for a new link and try again.',
    sameLink: false,
  },
  internal_error: {
    title: 'Something went wrong on our side',
    message: () => 'Nothing was saved. Please try again with the same link.',
    sameLink: true,
  },
  state_expired: {
    title: 'That took too long',
    message: (provider) =>
      `The page of ${provider} was open for more than 15 minutes. Ask for a new link and finish within that time.`,
    sameLink: false,
  },
  state_invalid: {
    title: 'This could not be verified',
    message: () =>
      'The response does not match the request that started in this browser. Open the link again and use one browser until you are done.',
    sameLink: true,
  },
  handoff_expired: {
    title: 'This link has expired',
    message: () => 'A link works for 45 minutes. Ask the person who sent it for a new one.',
    sameLink: false,
  },
  handoff_used: {
    title: 'This link was already used',
    message: () =>
      'It was used, or someone is using it right now. If nothing was connected, ask for a new link.',
    sameLink: false,
  },
  provider_not_configured: {
    title: 'This provider is not available',
    message: (provider) => `${provider} is not set up on this service. Inform the person who sent the link.`,
    sameLink: false,
  },
  origin_not_allowed: {
    title: 'The app’s registration changed',
    message: () =>
      'The page to return to is no longer registered, so nothing was connected. Inform the person who sent the link.',
    sameLink: false,
  },
}

export function failurePage(
  brand: Brand,
  reason: Reason,
  subject: { providerName: string; startUrl: string | null },
): Html {
  const { title, message, sameLink } = advice[reason]
  const retryLink =
    sameLink && subject.startUrl !== null
      ? html`<p><a class="go" href="${subject.startUrl}">Try again</a></p>`
      : null
  return shell(
    brand,
    title,
    html`<p role="alert">${message(subject.providerName)}</p>${retryLink}<p><small>Code: <code>${reason}</code></small></p>`,
  )
}

export function unknownLinkPage(brand: Brand): Html {
  return shell(
    brand,
    'This link does not work',
    html`<p role="alert">It may have been cut off when it was copied. Open it again from the message you received, or ask for a new one.</p>`,
  )
}
