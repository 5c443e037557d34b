import { createHmac, hkdfSync } from 'node:crypto'
import { hash } from '@node-rs/argon2'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { generateMasterKeys, parseMasterKeys, subkey } from './keyring.ts'
import { hashPassword, needsRehash, verifyPassword } from './passwords.ts'
import { needsReseal, open, openText, type SealedCell, seal, UnsealError } from './seal.ts'
import { isSameSecret, lookupHash, lookupHashes, mintToken, randomToken, readToken } from './tokens.ts'

const oldKey = generateMasterKeys('old')
const newKey = generateMasterKeys('new')
const before = parseMasterKeys(oldKey)
const after = parseMasterKeys(`${newKey},${oldKey}`)
const cell: SealedCell = { table: 'connections', row: 'row-1', column: 'token', profileId: 'profile-1' }

describe('master keys', () => {
  it('reads ids and keys, the first being current', () => {
    expect(after.current.id).toBe('new')
    expect(after.keys.map((key) => key.id)).toEqual(['new', 'old'])
  })

  it.each([
    ['nothing', ''],
    ['an id alone', 'k1'],
    ['an empty key', 'k1:'],
    ['a short key', 'k1:c2hvcnQ='],
    ['a comma too many', `${oldKey},`],
    ['an id twice', `${oldKey},${oldKey}`],
    ['a space in an id', `a b:${'A'.repeat(43)}=`],
  ])('refuses %s without quoting a key', (_, text) => {
    const caught = (() => {
      try {
        return parseMasterKeys(text)
      } catch (error) {
        return error as Error
      }
    })()
    expect(caught).toBeInstanceOf(Error)
    expect((caught as Error).message).toMatch(/^MASTER_KEYS: /)
    expect((caught as Error).message).not.toContain(oldKey.slice(4))
  })

  it('derives one key per purpose by HKDF-SHA-256', () => {
    const expected = Buffer.from(hkdfSync('sha256', before.current.key, '', 'whence:a', 32))
    expect(subkey(before.current, 'a')).toEqual(expected)
    expect(subkey(before.current, 'b')).not.toEqual(expected)
  })
})

describe('a sealed value', () => {
  it('opens in its own cell to the same bytes, and reveals none of them', () => {
    fc.assert(
      fc.property(fc.uint8Array({ minLength: 8, maxLength: 300 }), (bytes) => {
        const sealed = seal(before, cell, bytes)
        expect(open(before, cell, sealed)).toEqual(Buffer.from(bytes))
        expect(sealed.includes(Buffer.from(bytes))).toBe(false)
      }),
    )
    expect(openText(before, cell, seal(before, cell, 'ключ'))).toBe('ключ')
    expect(open(before, cell, seal(before, cell, '')).length).toBe(0)
  })

  it('is different each time', () => {
    expect(seal(before, cell, 'same')).not.toEqual(seal(before, cell, 'same'))
  })

  it.each([
    { table: 'apps' },
    { row: 'row-2' },
    { column: 'secret' },
    { profileId: 'profile-2' },
    { profileId: null },
    { table: 'connection', row: 'srow-1' },
  ])('does not open with %j instead', (change) => {
    const sealed = seal(before, cell, 'secret')
    expect(() => open(before, { ...cell, ...change }, sealed)).toThrow(UnsealError)
  })

  it('does not open after any bit flip', () => {
    const sealed = seal(before, cell, 'secret')
    for (let bit = 0; bit < sealed.length * 8; bit++) {
      const changed = Buffer.from(sealed)
      changed[bit >> 3]! ^= 1 << (bit & 7)
      expect(() => open(before, cell, changed), `bit ${bit}`).toThrow(UnsealError)
    }
  })

  it('does not open after truncation or extension', () => {
    const sealed = seal(before, cell, 'secret')
    for (let length = 0; length < sealed.length; length++) {
      expect(() => open(before, cell, sealed.subarray(0, length)), `${length}`).toThrow(UnsealError)
    }
    expect(() => open(before, cell, Buffer.concat([sealed, Buffer.alloc(1)]))).toThrow(UnsealError)
  })

  it('opens after a rotation, needs resealing, and then no longer needs the old key', () => {
    const sealed = seal(before, cell, 'secret')
    expect(needsReseal(before, sealed)).toBe(false)
    expect(needsReseal(after, sealed)).toBe(true)
    const again = seal(after, cell, open(after, cell, sealed))
    expect(needsReseal(after, again)).toBe(false)
    expect(openText(parseMasterKeys(newKey), cell, again)).toBe('secret')
    expect(() => open(parseMasterKeys(newKey), cell, sealed)).toThrow(/"old"/)
  })

  it('does not open under another key of the same id', () => {
    const sealed = seal(before, cell, 'secret')
    expect(() => open(parseMasterKeys(generateMasterKeys('old')), cell, sealed)).toThrow(UnsealError)
  })
})

describe('a token', () => {
  it.each([
    ['api_key', 'live', /^whence_live_[0-9A-Za-z]{10}_[0-9A-Za-z]{49}$/],
    ['api_key', 'test', /^whence_test_[0-9A-Za-z]{10}_[0-9A-Za-z]{49}$/],
    ['user_token', 'live', /^whence_user_/],
    ['session', 'live', /^whence_sess_/],
    ['tracking_key', 'live', /^trk_live_/],
    ['tracking_key', 'test', /^trk_test_/],
    ['app_secret', 'live', /^whence_secret_/],
  ] as const)('of kind %s in mode %s has its form and is read back', (kind, mode, form) => {
    const { token, publicId, hint } = mintToken(kind, mode)
    expect(token).toMatch(form)
    expect(readToken(token)).toMatchObject({ kind, publicId })
    expect(hint.length).toBeLessThan(token.length - 30)
  })

  it('has the same checksum as other tools compute', () => {
    // Computed with Python's binascii.crc32 over everything before it, in base 62.
    expect(readToken(`whence_live_0000000000_${'0'.repeat(43)}07O3fY`)).toEqual({
      kind: 'api_key',
      mode: 'live',
      publicId: '0000000000',
    })
  })

  it('is rejected after any one character changed', () => {
    const { token } = mintToken('api_key')
    for (let i = 0; i < token.length; i++) {
      const other = token[i] === 'x' ? 'y' : 'x'
      expect(readToken(token.slice(0, i) + other + token.slice(i + 1)), `at ${i}`).toBeUndefined()
    }
    for (const wrong of ['', token.slice(0, -1), `${token}x`, ` ${token}`, `${token}\n`, 'whence_live_']) {
      expect(readToken(wrong)).toBeUndefined()
    }
  })

  it('is found by its hash under the current and every earlier key, and under no other', () => {
    const { token } = mintToken('api_key')
    const stored = lookupHash(before, token)
    expect(stored).toEqual(
      createHmac('sha256', subkey(before.current, 'token-lookup')).update(token).digest(),
    )
    const candidates = lookupHashes(after, token)
    expect(candidates[0]).toEqual(lookupHash(after, token))
    expect(candidates[1]).toEqual(stored)
    expect(lookupHashes(parseMasterKeys(newKey), token)).not.toContainEqual(stored)
    expect(stored.includes(Buffer.from(token))).toBe(false)
  })

  it('is never minted twice', () => {
    const tokens = Array.from({ length: 2000 }, () => mintToken('api_key').token)
    expect(new Set(tokens).size).toBe(2000)
    expect(randomToken()).toMatch(/^[A-Za-z0-9_-]{43}$/)
  })
})

it('secrets compare equal only when they are', () => {
  expect(isSameSecret('abc', 'abc')).toBe(true)
  expect(isSameSecret('abc', Buffer.from('abc'))).toBe(true)
  expect(isSameSecret('abc', 'abd')).toBe(false)
  expect(isSameSecret('abc', 'abcd')).toBe(false)
  expect(isSameSecret('', 'a')).toBe(false)
})

describe('a password', () => {
  it('is verified against its argon2id hash only', async () => {
    const stored = await hashPassword('correct horse battery')
    expect(stored).toMatch(/^\$argon2id\$v=19\$m=19456,t=2,p=1\$/)
    expect(stored).not.toBe(await hashPassword('correct horse battery'))
    expect(await verifyPassword(stored, 'correct horse battery')).toBe(true)
    expect(await verifyPassword(stored, 'correct horse batterz')).toBe(false)
    expect(await verifyPassword(null, 'no password has this hash')).toBe(false)
  })

  it('is the same for all Unicode compositions of its letters', async () => {
    const stored = await hashPassword('caf\u00e9 caf\u00e9 caf\u00e9')
    expect(await verifyPassword(stored, 'cafe\u0301 cafe\u0301 cafe\u0301')).toBe(true)
  })

  it('needs a new hash if the cost changed', async () => {
    expect(needsRehash(await hashPassword('a password of ours'))).toBe(false)
    expect(needsRehash(await hash('a password of ours', { memoryCost: 8192, timeCost: 1 }))).toBe(true)
  })
})
