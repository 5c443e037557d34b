import { z } from 'zod'
import { endpoint } from '../../contract/endpoint.ts'
import { CreatedAt, ExpiresAt, Instant, Name } from '../../contract/fields.ts'
import { SignedIn } from '../contract.ts'

const kinds = ['totp', 'passkey'] as const
/** Messages of the browser's WebAuthn interface, as its `toJSON()` and `parse…FromJSON()` define them. */
const fromBrowser = z.looseObject({ id: z.string().max(2000).describe('Id of the passkey') })
const forBrowser = z.record(z.string(), z.unknown()).describe('Options for the browser')
const code = z.string().min(6).max(12).describe('Six digits that the authenticator app shows')
const FactorName = Name.describe('Name of the device')
const Kind = z.enum(kinds).describe('Authenticator app or passkey')
const recoveryCode = z.string().min(10).max(40).describe('Used up by a correct use')
const challenge = z.string().min(1).max(200).describe('From the response that asks for this proof')
const assertion = fromBrowser.describe(
  'What the browser’s `navigator.credentials.get` returned, as `toJSON()` writes it',
)
const mintedChallenge = z.string().describe('Sent back with the proof; works once, for five minutes')

const Factor = z.object({
  id: z.uuid().describe('Id of the second factor'),
  kind: Kind,
  name: z.string().describe('Name of the device'),
  created_at: CreatedAt,
  last_used_at: Instant.nullable().describe('When it last proved a sign-in; null if never'),
})

const user = { kind: 'user', tokens: false } as const

export const finishSignIn = endpoint({
  name: 'finishSignIn',
  method: 'POST',
  path: '/auth/second-factor',
  summary: 'Finish a sign-in with the second factor',
  description:
    'Send the `challenge` of the sign-in with one of `code` (authenticator app), `assertion` (passkey) or `recovery_code`. Each code and assertion works once; a challenge ends after five minutes or five tries. With `remember_device`, this browser signs in without the second factor for 30 days.',
  tag: 'auth',
  access: { kind: 'public', writes: 'sign_in' },
  body: z.strictObject({
    challenge,
    code: code.optional(),
    assertion: assertion.optional(),
    recovery_code: recoveryCode.optional(),
    remember_device: z
      .boolean()
      .optional()
      .describe('True: this browser signs in without the second factor for 30 days'),
  }),
  reply: SignedIn,
  errors: ['unauthorized', 'rate_limit_exceeded'],
  example: { body: { challenge: 'Zm9v', code: '123456' } },
})

export const offerPasskey = endpoint({
  name: 'offerPasskey',
  method: 'POST',
  path: '/auth/passkeys/options',
  summary: 'Options for a sign-in with a passkey alone',
  description:
    'Pass `options` to the browser, and its answer with `challenge` to `POST /auth/passkeys/sign-in`.',
  tag: 'auth',
  access: { kind: 'public', writes: 'sign_in' },
  reply: z.object({ challenge: mintedChallenge, options: forBrowser, expires_at: ExpiresAt }),
  errors: ['rate_limit_exceeded'],
})

export const signInByPasskey = endpoint({
  name: 'signInByPasskey',
  method: 'POST',
  path: '/auth/passkeys/sign-in',
  summary: 'Sign in with a passkey alone',
  description:
    'The passkey must verify the person (PIN, fingerprint or face); it then counts as both factors.',
  tag: 'auth',
  access: { kind: 'public', writes: 'sign_in' },
  body: z.strictObject({ challenge, assertion }),
  reply: SignedIn,
  errors: ['unauthorized', 'rate_limit_exceeded'],
  example: { body: { challenge: 'Zm9v', assertion: { id: 'Zm9v' } } },
})

export const getFactors = endpoint({
  name: 'getFactors',
  method: 'GET',
  path: '/auth/factors',
  summary: 'The second factors of the account',
  description: 'Also the workspaces that require one, and how many recovery codes are left.',
  tag: 'auth',
  access: user,
  reply: z.object({
    factors: z.array(Factor).describe('Without unfinished enrolments'),
    recovery_codes_left: z.int().describe('Codes that were not used yet'),
    remembered_devices: z.int().describe('Devices that sign in without the second factor for up to 30 days'),
    has_password: z.boolean().describe('False: a passkey signs in alone'),
    required_by: z
      .array(
        z.object({
          id: z.uuid().describe('Id of the workspace'),
          name: z.string().describe('Name of the workspace'),
          from: Instant.describe('When the requirement starts'),
        }),
      )
      .describe('Workspaces that require a second factor, and from when'),
  }),
})

const fresh = {
  description:
    'Needs a password or second factor entered in the last ten minutes (otherwise 403 `forbidden`, reason `reauthentication_required`). The person gets a mail.',
  access: user,
  tag: 'auth',
  fresh: true,
} as const

export const addFactor = endpoint({
  ...fresh,
  name: 'addFactor',
  method: 'POST',
  path: '/auth/factors',
  summary: 'Start adding a second factor',
  body: z.strictObject({ kind: Kind, name: FactorName }),
  reply: z.object({
    id: z.uuid().describe('Id of the second factor'),
    secret: z.string().nullable().describe('For the authenticator app; returned once; null for a passkey'),
    otpauth_url: z.string().nullable().describe('The key as a QR code contains it; null for a passkey'),
    options: forBrowser
      .nullable()
      .describe('For the browser, which creates the passkey; null for an authenticator app'),
  }),
  statuses: [201],
  errors: ['forbidden', 'invalid_state'],
  secretReply: true,
  example: { body: { kind: 'totp', name: 'Phone' } },
})

const FactorParams = z.object({ factorId: z.uuid().describe('Id of the second factor') })

export const confirmFactor = endpoint({
  ...fresh,
  name: 'confirmFactor',
  method: 'POST',
  path: '/auth/factors/{factorId}/confirm',
  summary: 'Finish adding a second factor; ends all other sessions',
  params: FactorParams,
  body: z.strictObject({
    code: code.optional(),
    registration: fromBrowser
      .optional()
      .describe('What the browser’s `navigator.credentials.create` returned, as `toJSON()` writes it'),
  }),
  reply: z.object({
    recovery_codes: z
      .array(z.string())
      .nullable()
      .describe('Returned once, with the first second factor; null with further ones'),
  }),
  errors: ['forbidden', 'invalid_state', 'not_found', 'rate_limit_exceeded'],
  secretReply: true,
  example: { body: { code: '123456' } },
})

export const renameFactor = endpoint({
  name: 'renameFactor',
  method: 'PATCH',
  path: '/auth/factors/{factorId}',
  summary: 'Rename a second factor',
  description: 'The name helps to recognise the device.',
  tag: 'auth',
  access: user,
  params: FactorParams,
  body: z.strictObject({ name: FactorName }),
  reply: z.null(),
  statuses: [204],
  errors: ['not_found'],
})

export const deleteFactor = endpoint({
  ...fresh,
  name: 'deleteFactor',
  method: 'DELETE',
  path: '/auth/factors/{factorId}',
  summary: 'Remove a second factor; forgets remembered devices',
  params: FactorParams,
  reply: z.null(),
  statuses: [204],
  errors: ['forbidden', 'invalid_state', 'not_found'],
})

export const createRecoveryCodes = endpoint({
  ...fresh,
  name: 'createRecoveryCodes',
  method: 'POST',
  path: '/auth/recovery-codes',
  summary: 'Create new recovery codes; the old ones stop working',
  reply: z.object({ codes: z.array(z.string()).describe('Ten codes; returned once') }),
  statuses: [201],
  errors: ['forbidden', 'invalid_state'],
  secretReply: true,
})

export const removePassword = endpoint({
  ...fresh,
  name: 'removePassword',
  method: 'DELETE',
  path: '/auth/password',
  summary: 'Remove the password, so that a passkey signs in alone; ends all other sessions',
  reply: z.null(),
  statuses: [204],
  errors: ['forbidden', 'invalid_state'],
})

export const forgetDevices = endpoint({
  name: 'forgetDevices',
  method: 'DELETE',
  path: '/auth/remembered-devices',
  summary: 'Forget all remembered devices',
  description: 'Each needs the second factor again at its next sign-in.',
  tag: 'auth',
  access: user,
  reply: z.null(),
  statuses: [204],
})

export const offerReauthentication = endpoint({
  name: 'offerReauthentication',
  secretReply: true,
  method: 'POST',
  path: '/auth/reauthenticate/options',
  summary: 'How the person can prove again who they are',
  description: '`kinds` is `password` only for an account without a second factor.',
  tag: 'auth',
  access: user,
  reply: z.object({
    challenge: mintedChallenge,
    kinds: z
      .array(z.enum([...kinds, 'recovery_code', 'password']))
      .describe('Any one of these is enough; empty for an account without password and second factor'),
    passkey: forBrowser.nullable().describe('Options for the browser; null without a passkey'),
    expires_at: ExpiresAt,
  }),
})

export const reauthenticate = endpoint({
  name: 'reauthenticate',
  method: 'POST',
  path: '/auth/reauthenticate',
  summary: 'Prove again who the person at this session is',
  description:
    'For ten minutes, the session may then create keys, export or erase people, open billing and change second factors.',
  tag: 'auth',
  access: user,
  body: z.strictObject({
    challenge,
    password: z.string().min(1).max(1000).optional().describe('Only for an account without a second factor'),
    code: code.optional(),
    assertion: assertion.optional(),
    recovery_code: recoveryCode.optional(),
  }),
  reply: z.null(),
  statuses: [204],
  errors: ['forbidden', 'rate_limit_exceeded'],
  example: { body: { challenge: 'Zm9v', password: 'correct horse battery' } },
})

export const listSessions = endpoint({
  name: 'listSessions',
  method: 'GET',
  path: '/auth/sessions',
  summary: 'Where the account is signed in',
  description:
    'Most recently used first. `country` is known only if the operator configured a country database; nothing is looked up elsewhere.',
  tag: 'auth',
  access: user,
  reply: z.array(
    z.object({
      id: z.uuid().describe('Id of the session'),
      is_current: z.boolean().describe('True for the session of this request'),
      device: z
        .string()
        .nullable()
        .describe('Browser and operating system, as the browser reports them; null if unknown'),
      address: z.string().nullable().describe('Network address at the sign-in; null if it was not recorded'),
      country: z.string().nullable().describe('Country code of the address; null if unknown'),
      methods: z
        .array(z.string())
        .describe('How the session was opened, such as `password`, `totp`, `passkey`'),
      created_at: CreatedAt,
      last_used_at: Instant.describe('To about a minute'),
    }),
  ),
})

export const endSession = endpoint({
  name: 'endSession',
  method: 'DELETE',
  path: '/auth/sessions/{sessionId}',
  summary: 'End one session of the account',
  description: 'It ends immediately; user tokens and remembered devices are kept.',
  tag: 'auth',
  access: user,
  params: z.object({ sessionId: z.uuid().describe('Id of the session') }),
  reply: z.null(),
  statuses: [204],
  errors: ['not_found'],
})

export const endOtherSessions = endpoint({
  name: 'endOtherSessions',
  method: 'DELETE',
  path: '/auth/sessions',
  summary: 'End all other sessions of the account',
  description: 'Also forgets remembered devices. User tokens are kept; changing the password ends them too.',
  tag: 'auth',
  access: user,
  reply: z.null(),
  statuses: [204],
})
