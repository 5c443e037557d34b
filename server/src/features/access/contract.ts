import { z } from 'zod'
import { endpoint } from '../../contract/endpoint.ts'

export const User = z.object({
  id: z.uuid(),
  email: z.string(),
  name: z.string(),
  created_at: z.iso.datetime(),
})
export const SignedIn = z.object({ user: User, token: z.string(), expires_at: z.iso.datetime() })

const email = z.email().max(254)
const password = z.string().min(1).max(1000)

export const signUp = endpoint({
  name: 'signUp',
  method: 'POST',
  path: '/auth/sign-up',
  summary: 'Create an account and sign in',
  tag: 'auth',
  access: { kind: 'public' },
  body: z.strictObject({ email, password, name: z.string().trim().min(1).max(200) }),
  reply: SignedIn,
  statuses: [201],
  errors: ['weak_password', 'compromised_password', 'invalid_state', 'rate_limit_exceeded'],
  example: { body: { email: 'ana@example.com', password: 'correct horse battery', name: 'Ana' } },
})

export const signIn = endpoint({
  name: 'signIn',
  method: 'POST',
  path: '/auth/sign-in',
  summary: 'Sign in with email and password',
  tag: 'auth',
  access: { kind: 'public' },
  body: z.strictObject({ email: z.string().max(254), password }),
  reply: SignedIn,
  errors: ['unauthorized', 'rate_limit_exceeded'],
})

export const signOut = endpoint({
  name: 'signOut',
  method: 'POST',
  path: '/auth/sign-out',
  summary: 'End the session in use',
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
  tag: 'auth',
  access: { kind: 'user' },
  reply: User,
})

export const changePassword = endpoint({
  name: 'changePassword',
  method: 'POST',
  path: '/auth/password',
  summary: 'Change the password; every other session ends',
  tag: 'auth',
  access: { kind: 'user', tokens: false },
  body: z.strictObject({ current_password: password.optional(), new_password: password }),
  reply: z.null(),
  statuses: [204],
  errors: ['weak_password', 'compromised_password', 'current_password_required', 'current_password_invalid'],
})
