/**
 * Mails about a person's own account, sent on request of that person (or someone claiming to be). They mention no
 * workspace and no app, so they are the same for people that an app provisioned.
 */
import type { Mail } from '../mail/mailer.ts'

const ignore = 'If it was not you, ignore this mail: nothing changes.'
const mail = (to: string, subject: string, lines: readonly string[]): Mail => ({
  to,
  subject,
  text: `${lines.join('\n\n')}\n`,
})
const linkTo = (baseUrl: string, page: string, token: string) =>
  `${baseUrl}/${page}?token=${encodeURIComponent(token)}`

export function verificationMail(baseUrl: string, to: string, token: string): Mail {
  return mail(to, 'Verify your address', [
    'An account at Whence was created with this address. To verify that the address is yours, open this link and sign in:',
    linkTo(baseUrl, 'verify-email', token),
    `The link works for 3 days. ${ignore} To take the account over, reset its password: ${baseUrl}/forgot-password`,
  ])
}

export function changeMail(baseUrl: string, to: string, token: string): Mail {
  return mail(to, 'Confirm your new address', [
    'Someone requested to use this address for their account at Whence. To confirm it, open this link and sign in:',
    linkTo(baseUrl, 'verify-email', token),
    `The link works for 24 hours. ${ignore}`,
  ])
}

/** To an address that has an account: the requester must not learn that it has one. */
export function addressInUseMail(baseUrl: string, to: string): Mail {
  return mail(to, 'This address has an account', [
    'Someone requested to use this address for another account at Whence. It already has an account, so nothing changed.',
    `If it was you, sign in with this address, or reset its password: ${baseUrl}/forgot-password`,
  ])
}

/** To the old address: only its owner can recognise a theft. */
export function changedMail(to: string): Mail {
  return mail(to, 'Your address was changed', [
    'Your account at Whence now has another address; this one no longer signs in.',
    'If it was not you, ask the operator of this service to restore your account.',
  ])
}

export function resetMail(baseUrl: string, to: string, token: string): Mail {
  return mail(to, 'Reset your password', [
    'Someone requested to reset the password of your account at Whence. To choose a new one, open this link:',
    linkTo(baseUrl, 'reset-password', token),
    `The link works once, for 1 hour. ${ignore}`,
  ])
}

export function signInMail(baseUrl: string, to: string, token: string): Mail {
  return mail(to, 'Your link to sign in', [
    'Someone requested a sign-in link for your account at Whence. To sign in without the password, open this link:',
    linkTo(baseUrl, 'sign-in-link', token),
    `The link works once, for 1 hour. Do not forward it. ${ignore}`,
  ])
}

const securityTexts = {
  factor_added: 'A second factor was added to your account',
  factor_removed: 'A second factor was removed from your account',
  factors_reset: 'All second factors were removed from your account, and its sessions ended',
  recovery_codes_renewed: 'New recovery codes were created for your account; the old ones no longer work',
  recovery_code_used: 'A recovery code was used to sign in to your account',
  device_remembered: 'A device was remembered: for 30 days it signs in without the second factor',
  password_removed: 'The password of your account was removed; you sign in with a passkey',
  codes_guessed:
    'Someone who knows your password entered several wrong codes of your second factor. Change your password',
  passkey_copied:
    'A sign-in with a passkey was refused because its counter went back: the passkey may have been copied',
  factor_required:
    'A workspace of yours will require a second factor. Add one under Sign-in in the menu of your account',
  company_linked: 'Your account was linked to the sign-in of your company',
  company_unlinked: 'The link of your account to the sign-in of your company was removed',
} as const

export type SecurityChange = keyof typeof securityTexts
export const securityChanges = Object.keys(securityTexts) as [SecurityChange, ...SecurityChange[]]

export function securityMail(baseUrl: string, to: string, change: SecurityChange, name?: string): Mail {
  const what = `${securityTexts[change]}${name === undefined ? '' : ` (${name})`}.`
  return mail(to, 'The sign-in of your account', [
    what,
    `If it was not you, reset your password at ${baseUrl}/forgot-password, end all sessions, and check your second factors.`,
  ])
}
