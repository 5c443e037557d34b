/** Second factors, passkeys, fresh proofs and sign-in policies. */
import type { Guard } from './guard.ts'

const folder = 'server/src/platform/access/factors'
const factors = 'server/src/platform/access/factors/factors.test.ts'
const passkeys = 'server/src/platform/access/factors/passkeys.test.ts'
const access = 'server/src/platform/access'

export const signInGuards: readonly Guard[] = [
  {
    name: 'sign-in: no session without the second factor',
    file: `${access}/authenticate.ts`,
    snippet: 'row.needs_second_factor && row.second_factor !== true',
    replacement: 'false',
    test: {
      file: factors,
      title: 'a session that an older process opened without the second factor is refused',
    },
  },
  {
    name: 'sign-in: a code works once',
    file: `${folder}/totp.ts`,
    snippet: 'step > lastStep && ',
    replacement: '',
    test: { file: factors, title: 'a code works once, also in two requests at the same time' },
  },
  {
    name: 'sign-in: a challenge works once',
    file: `${folder}/sign-in.ts`,
    snippet: 'if (!(await spendChallenge(tx, challenge))) throw wrongProof()',
    replacement: '',
    test: { file: factors, title: 'a challenge works once, also with two different codes at the same time' },
  },
  {
    name: 'sign-in: a challenge ends after five tries',
    file: `${folder}/challenges.ts`,
    snippet: ".where('tries', '<', MAX_TRIES)",
    replacement: '',
    test: { file: factors, title: 'a challenge ends after five wrong codes, and the person gets a mail' },
  },
  {
    name: 'sign-in: codes are limited per account, whatever the networks',
    file: `${folder}/sign-in.ts`,
    snippet: 'await limitSecondFactors(context, user, browser.device)',
    replacement: '',
    test: {
      file: factors,
      title: 'codes by the thousand: ten tries per account, however many sign-ins and networks',
    },
  },
  {
    name: 'sign-in: a challenge belongs to one browser',
    file: `${folder}/challenges.ts`,
    snippet: 'if (!hashes.some((hash) => isSameSecret(hash, expected))) return undefined',
    replacement: '',
    test: { file: factors, title: 'a challenge works only in the browser that began' },
  },
  {
    name: 'sign-in: a recovery code works once',
    file: `${folder}/recovery-codes.ts`,
    snippet: '    used_at: null,\n  }).update',
    replacement: '  }).update',
    test: { file: factors, title: 'a recovery code works once; new ones replace the old ones' },
  },
  {
    name: 'sign-in: a remembered device counts for its person only',
    file: `${folder}/remembered.ts`,
    snippet: "    .where('user_id', '=', params.userId)\n",
    replacement: '',
    test: {
      file: factors,
      title:
        'a remembered device needs no second factor for 30 days, but proves nothing for sensitive actions',
    },
  },
  {
    name: 'sign-in: sensitive actions need a fresh proof',
    file: 'server/src/platform/http/authorize.ts',
    snippet: 'await requireFreshProof(context.service, caller.credentialId)',
    replacement: '',
    test: {
      file: factors,
      title:
        'keys, exports, erasures, billing and factors need a fresh proof; the password is none if there is a factor',
    },
  },
  {
    name: 'sign-in: a proof answers the challenge of its own person',
    file: `${folder}/reauthenticate.ts`,
    snippet: 'if (challenge?.user_id !== userId) throw wrong()',
    replacement: 'if (challenge === undefined) throw wrong()',
    test: {
      file: factors,
      title:
        'keys, exports, erasures, billing and factors need a fresh proof; the password is none if there is a factor',
    },
  },
  {
    name: 'sign-in: a workspace that requires a second factor is closed without one',
    file: `${access}/sign-in-policy.ts`,
    snippet: 'if (!(await hasSecondFactor(service, caller)))',
    replacement: 'if (false)',
    test: {
      file: factors,
      title:
        'a required second factor: members get a grace period, then only this workspace is closed to them',
    },
  },
  {
    name: 'sign-in: a remembered device opens no patients',
    file: `${access}/sign-in-policy.ts`,
    snippet: 'if (isPatients && caller.session !== undefined && !caller.session.isProved)',
    replacement: 'if (false)',
    test: { file: factors, title: 'in a healthcare workspace, a remembered device is not enough' },
  },
  {
    name: 'sign-in: the last factor stays while a workspace requires one',
    file: `${folder}/enrol.ts`,
    snippet: 'if (isLast) await requireNoNeed(tx, userId)',
    replacement: '',
    test: {
      file: factors,
      title:
        'a required second factor: members get a grace period, then only this workspace is closed to them',
    },
  },
  {
    name: 'sign-in: a member without a second factor archives nothing',
    file: 'server/src/features/account/workspaces/operations.ts',
    snippet:
      'if (role !== undefined) await requireSignInPolicy(context.service, context.caller, { workspaceId })',
    replacement: '',
    test: {
      file: factors,
      title:
        'a required second factor: members get a grace period, then only this workspace is closed to them',
    },
  },
  {
    name: 'sign-in: an owner resets factors of people of this workspace alone',
    file: 'server/src/features/account/sign-in-policy/operations.ts',
    snippet: 'if (operates || workspaces.some((id) => id !== workspaceId))',
    replacement: 'if (false)',
    test: {
      file: factors,
      title: 'a lost factor: the owner helps members of this workspace alone, the operator everyone',
    },
  },
  {
    name: 'sessions: a person ends only their own',
    file: `${access}/sessions.ts`,
    snippet: "    .where('user_id', '=', caller.userId)\n",
    replacement: '',
    test: { file: factors, title: 'lists sessions with their device, and ends one or all others' },
  },
  {
    name: 'passwords: hashed again at sign-in if the parameters changed',
    file: `${access}/accounts.ts`,
    snippet: 'if (needsRehash(stored!))',
    replacement: 'if (false)',
    test: { file: factors, title: 'a password hashed with other parameters is hashed again at sign-in' },
  },
  {
    name: 'passkeys: an assertion answers one challenge, once',
    file: `${folder}/sign-in.ts`,
    snippet: 'if (by === undefined || !(await spendChallenge(tx, challenge))) throw wrongPasskey()',
    replacement: 'if (by === undefined) throw wrongPasskey()',
    test: { file: passkeys, title: 'a passkey without a counter works once per challenge' },
  },
  {
    name: 'passkeys: alone, they verify the person',
    file: `${folder}/sign-in.ts`,
    snippet: 'mustVerifyPerson: true,',
    replacement: 'mustVerifyPerson: false,',
    test: {
      file: passkeys,
      title: 'a passkey is a second factor, and with the person verified the only one',
    },
  },
  {
    name: 'passkeys: assertions only for this origin',
    file: `${folder}/passkeys.ts`,
    snippet:
      '      expectedOrigin: origin,\n      expectedRPID: id,\n      requireUserVerification: params.mustVerifyPerson,',
    replacement:
      "      expectedOrigin: [origin, 'https://whence.evil.example', 'http://127.0.0.1:1'],\n      expectedRPID: id,\n      requireUserVerification: params.mustVerifyPerson,",
    test: {
      file: passkeys,
      title: 'refuses assertions of other origins, other relying parties, other types and other people',
    },
  },
  {
    name: 'passkeys: assertions only for this relying party',
    file: `${folder}/passkeys.ts`,
    snippet: '      expectedRPID: id,\n      requireUserVerification: params.mustVerifyPerson,',
    replacement:
      "      expectedRPID: [id, 'evil.example'],\n      requireUserVerification: params.mustVerifyPerson,",
    test: {
      file: passkeys,
      title: 'refuses assertions of other origins, other relying parties, other types and other people',
    },
  },
  {
    name: 'passkeys: the counter only grows',
    file: `${folder}/passkeys.ts`,
    snippet: 'counter: passkey.sign_count,',
    replacement: 'counter: -1,',
    test: {
      file: passkeys,
      title: 'a counter that goes back is refused, and the person gets a mail about a copy',
    },
  },
  {
    name: 'passkeys: without a password, the last one stays',
    file: `${folder}/enrol.ts`,
    snippet: 'if (passkeys.length === 1)',
    replacement: 'if (false)',
    test: { file: passkeys, title: 'without a password, a passkey signs in, and the last one stays' },
  },
]
