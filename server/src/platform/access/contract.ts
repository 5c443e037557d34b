import { z } from 'zod'
import { endpoint } from '../contract/endpoint.ts'
import { CreatedAt, ExpiresAt } from '../contract/fields.ts'

export const User = z.object({
  id: z.uuid().describe('Id of the user'),
  email: z.string().describe('Email address of the account'),
  name: z.string().describe('Name of the person'),
  email_verified: z
    .boolean()
    .describe(
      'True once the person has proved ownership of the address; until then, access granted to the address has no effect',
    ),
  created_at: CreatedAt,
})
export const SignedIn = z.object({
  user: User.describe('The user who signed in'),
  token: z.string().describe('Token of the session, for the header Authorization'),
  expires_at: ExpiresAt,
})

/** Of an account with a second factor: no session yet. */
const SecondFactorNeeded = z.object({
  second_factor: z
    .object({
      challenge: z.string().describe('For `POST /auth/second-factor`'),
      kinds: z.array(z.enum(['totp', 'passkey', 'recovery_code'])).describe('Any one of these is enough'),
      passkey: z
        .record(z.string(), z.unknown())
        .nullable()
        .describe('Options for the browser; null without a passkey'),
      expires_at: ExpiresAt,
    })
    .describe('What the sign-in still needs'),
})
const SignInReply = z.union([SignedIn, SecondFactorNeeded])

const email = z.email().max(254).describe('Email address of the account')
const password = z.string().min(1).max(1000)

export const signUp = endpoint({
  name: 'signUp',
  method: 'POST',
  path: '/auth/sign-up',
  summary: 'Create an account and sign in',
  tag: 'auth',
  access: { kind: 'public', writes: 'sign_in' },
  description:
    'Sends a mail with a verification link. With the token of a mailed invitation to this address, the address is verified immediately, and sign-up also works if it is closed (otherwise 403 `forbidden`, reason `sign_up_closed`).',
  body: z.strictObject({
    email,
    password: password.describe('Password of the account'),
    name: z.string().trim().min(1).max(200).describe('Name of the person'),
    invitation_token: z.string().min(1).max(200).optional().describe('Token of the invitation, if any'),
  }),
  reply: SignedIn,
  statuses: [201],
  errors: [
    'weak_password',
    'compromised_password',
    'invalid_state',
    'forbidden',
    'not_found',
    'rate_limit_exceeded',
  ],
  example: { body: { email: 'ana@example.com', password: 'correct horse battery', name: 'Ana' } },
})

export const signIn = endpoint({
  name: 'signIn',
  method: 'POST',
  path: '/auth/sign-in',
  summary: 'Sign in with email and password',
  description:
    'Opens a session and returns its token; a wrong address and a wrong password give the same error. An account with a second factor gets a `challenge` for `POST /auth/second-factor` instead of a session. Limits: ten attempts per 15 minutes per IP address, both in total and per account; 300 attempts per hour per account from all addresses. A browser that signed in before and sends its cookie has ten separate attempts. `POST /auth/sign-in-link` is not affected by these limits.',
  tag: 'auth',
  access: { kind: 'public', writes: 'sign_in' },
  body: z.strictObject({
    email: z.string().max(254).describe('Email address of the account'),
    password: password.describe('Password of the account'),
  }),
  reply: SignInReply,
  errors: ['unauthorized', 'rate_limit_exceeded'],
})

export const signOut = endpoint({
  name: 'signOut',
  method: 'POST',
  path: '/auth/sign-out',
  summary: 'End the current session',
  description: 'The session ends immediately; user tokens and API keys are not affected.',
  tag: 'auth',
  access: { kind: 'user', tokens: false },
  reply: z.null(),
  statuses: [204],
})

export const getMe = endpoint({
  name: 'getMe',
  method: 'GET',
  path: '/auth/me',
  summary: 'The signed-in person',
  description: 'Accepts a session or a user token.',
  tag: 'auth',
  access: { kind: 'user' },
  reply: User.extend({
    is_operator: z.boolean().describe('Whether the account may open the operator page (OPERATORS)'),
  }),
})

export const changePassword = endpoint({
  name: 'changePassword',
  method: 'POST',
  path: '/auth/password',
  summary: 'Change the password; ends all other sessions and user tokens',
  description:
    'Requires the current password if the account has one. The new one must be long enough and not in a public breach corpus.',
  tag: 'auth',
  access: { kind: 'user', tokens: false },
  body: z.strictObject({
    current_password: password.optional().describe('The current password'),
    new_password: password.describe('The new password'),
  }),
  reply: z.null(),
  statuses: [204],
  errors: [
    'weak_password',
    'compromised_password',
    'current_password_required',
    'current_password_invalid',
    'rate_limit_exceeded',
  ],
})

const token = z.string().min(1).max(200).describe('Token from the link in the mail')

export const getAuthOptions = endpoint({
  name: 'getAuthOptions',
  method: 'GET',
  path: '/auth/options',
  summary: 'Whether sign-up is open',
  description: 'Settings for the sign-in page.',
  tag: 'auth',
  access: { kind: 'public' },
  reply: z.object({
    sign_up: z.enum(['open', 'closed']).describe('open: anyone can sign up; closed: by invitation only'),
  }),
})

export const sendVerification = endpoint({
  name: 'sendVerification',
  method: 'POST',
  path: '/auth/verification',
  summary: 'Mail a link that verifies the address of the account',
  description: 'The link works once and for a limited time; a new request replaces it.',
  tag: 'auth',
  access: { kind: 'user', tokens: false },
  reply: z.null(),
  statuses: [202],
  errors: ['invalid_state', 'rate_limit_exceeded'],
})

export const confirmAddress = endpoint({
  name: 'confirmAddress',
  method: 'POST',
  path: '/auth/verification/confirm',
  summary: 'Verify the address, or switch to the new one, with the token from the mail',
  description: 'The session must belong to the account for which the mail was sent.',
  tag: 'auth',
  access: { kind: 'user', tokens: false },
  body: z.strictObject({ token }),
  reply: User,
  errors: ['not_found', 'invalid_state', 'rate_limit_exceeded'],
})

export const changeEmail = endpoint({
  name: 'changeEmail',
  method: 'POST',
  path: '/auth/email',
  summary: 'Request a change of address; effective once the link mailed to it is confirmed',
  description: 'The response is the same whether or not the address has an account.',
  tag: 'auth',
  access: { kind: 'user', tokens: false },
  body: z.strictObject({ email, current_password: password.optional().describe('The current password') }),
  reply: z.null(),
  statuses: [202],
  errors: ['invalid_state', 'current_password_required', 'current_password_invalid', 'rate_limit_exceeded'],
})

export const requestPasswordReset = endpoint({
  name: 'requestPasswordReset',
  method: 'POST',
  path: '/auth/password/reset-request',
  summary: 'Mail a link that resets the password',
  description:
    'The response is the same whether or not the address has an account. Also sets the first password of an account that an app created.',
  tag: 'auth',
  access: { kind: 'public', writes: 'sign_in' },
  body: z.strictObject({ email }),
  reply: z.null(),
  statuses: [202],
  errors: ['rate_limit_exceeded'],
})

export const resetPassword = endpoint({
  name: 'resetPassword',
  method: 'POST',
  path: '/auth/password/reset',
  summary: 'Set a new password with the token from the mail',
  description: 'Ends all sessions and user tokens of the account, and verifies its address.',
  tag: 'auth',
  access: { kind: 'public', writes: 'sign_in' },
  body: z.strictObject({ token, new_password: password.describe('The new password') }),
  reply: z.null(),
  statuses: [204],
  errors: ['not_found', 'weak_password', 'compromised_password', 'rate_limit_exceeded'],
})

export const requestSignInLink = endpoint({
  name: 'requestSignInLink',
  method: 'POST',
  path: '/auth/sign-in-link',
  summary: 'Mail a link that signs in without the password',
  description:
    'For people locked out because others used up their sign-in attempts. The response is the same whether or not the address has an account. An account whose address is not verified gets a link that resets its password instead.',
  tag: 'auth',
  access: { kind: 'public', writes: 'sign_in' },
  body: z.strictObject({ email }),
  reply: z.null(),
  statuses: [202],
  errors: ['rate_limit_exceeded'],
})

export const signInByLink = endpoint({
  name: 'signInByLink',
  method: 'POST',
  path: '/auth/sign-in-link/confirm',
  summary: 'Sign in with the token from the mail',
  description:
    'The token works once and for 1 hour. Changing the password or the address invalidates it. An account with a second factor needs it as well.',
  tag: 'auth',
  access: { kind: 'public', writes: 'sign_in' },
  body: z.strictObject({ token }),
  reply: SignInReply,
  errors: ['not_found', 'rate_limit_exceeded'],
})
