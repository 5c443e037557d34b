/** The DNS records that a sender domain needs, and the status that a check results in. Pure. */

export type Purpose = 'dkim' | 'return_path' | 'spf' | 'dmarc'
export type Status = 'pending' | 'verified' | 'failed' | 'temporary_failure'
export type WantedRecord = {
  purpose: Purpose
  type: 'TXT' | 'CNAME'
  name: string
  value: string
  required: boolean
}
/** Null if the lookup failed, so that nothing is known about the record. */
export type LookupResult = readonly string[] | null
export type Check = { status: 'found' | 'missing' | 'different' | 'unknown'; found: string[] }

const PENDING_MS = 72 * 3_600_000
/** Found values are shown to members, so their number and length are limited: anyone can publish them. */
const MAX_SHOWN = 5
const MAX_SHOWN_LENGTH = 600

export function requiredDnsRecords(sender: {
  domain: string
  selector: string
  publicKey: string
  returnPathHost: string | undefined
}): WantedRecord[] {
  const { domain, selector, publicKey, returnPathHost } = sender
  const records: WantedRecord[] = [
    {
      purpose: 'dkim',
      type: 'TXT',
      name: `${selector}._domainkey.${domain}`,
      value: `v=DKIM1; k=rsa; p=${publicKey}`,
      required: true,
    },
  ]
  if (returnPathHost !== undefined)
    records.push(
      {
        purpose: 'return_path',
        type: 'CNAME',
        name: returnPathOf(domain),
        value: returnPathHost,
        required: true,
      },
      { purpose: 'spf', type: 'TXT', name: domain, value: `include:${returnPathHost}`, required: true },
    )
  records.push({
    purpose: 'dmarc',
    type: 'TXT',
    name: `_dmarc.${domain}`,
    value: 'v=DMARC1; p=none',
    required: false,
  })
  return records
}

/** Domains of mail providers: people have addresses there, and no one can set the records of the domain. */
const mailHosts = new Set(
  `126.com 163.com aim.com aol.com btinternet.com comcast.net email.com fastmail.com free.fr freenet.de gmail.com
  gmx.at gmx.ch gmx.com gmx.de gmx.net googlemail.com hey.com hotmail.co.uk hotmail.com hotmail.de hotmail.es
  hotmail.fr hotmail.it icloud.com laposte.net libero.it live.co.uk live.com live.fr mac.com mail.com mail.ru me.com
  msn.com naver.com onmicrosoft.com orange.fr outlook.com outlook.de outlook.es outlook.fr pm.me proton.me
  protonmail.com qq.com rediffmail.com rocketmail.com sfr.fr t-online.de tuta.com tutanota.com uol.com.br verizon.net
  wanadoo.fr web.de yahoo.co.jp yahoo.co.uk yahoo.com yahoo.com.br yahoo.de yahoo.es yahoo.fr yahoo.it yandex.com
  yandex.ru ymail.com zoho.com zohomail.com`.split(/\s+/),
)

/** True for a mail provider's domain and its subdomains. */
export function isMailHost(domain: string): boolean {
  const labels = domain.split('.')
  return labels.some((_, index) => mailHosts.has(labels.slice(index).join('.')))
}

export const returnPathOf = (domain: string): string => `bounce.${domain}`

export function checkRecord(expected: WantedRecord, values: LookupResult): Check {
  if (values === null) return { status: 'unknown', found: [] }
  const shownValues = values.slice(0, MAX_SHOWN).map((value) => value.slice(0, MAX_SHOWN_LENGTH))
  const isPresent = values.some((value) => satisfies(expected, value))
  const hasOtherValue = values.some((value) => matchesPurpose(expected.purpose, value))
  return { status: isPresent ? 'found' : hasOtherValue ? 'different' : 'missing', found: shownValues }
}

function satisfies({ purpose, value }: WantedRecord, entry: string): boolean {
  switch (purpose) {
    case 'dkim':
      return matchesPurpose(purpose, entry) && readTag(entry, 'p') === readTag(value, 'p')
    case 'return_path':
      return hostname(entry) === hostname(value)
    case 'spf':
      return matchesPurpose(purpose, entry) && entry.toLowerCase().split(/\s+/).includes(value.toLowerCase())
    case 'dmarc':
      return matchesPurpose(purpose, entry)
  }
}

function matchesPurpose(purpose: Purpose, value: string): boolean {
  switch (purpose) {
    case 'dkim':
      return readTag(value, 'p') !== undefined
    case 'return_path':
      return true
    case 'spf':
      return /^v=spf1(\s|$)/i.test(value)
    case 'dmarc':
      return /^v=dmarc1\s*;/i.test(value)
  }
}

const hostname = (name: string) => name.replace(/\.$/, '').toLowerCase()

/** The value of a tag in a DKIM record. Spaces are removed, because keys may be published with them. */
function readTag(record: string, name: string): string | undefined {
  for (const part of record.split(';')) {
    const separator = part.indexOf('=')
    if (separator > 0 && part.slice(0, separator).trim() === name)
      return part.slice(separator + 1).replace(/\s/g, '')
  }
  return undefined
}

/** A failed lookup neither revokes nor confirms a verification. */
export function statusAfter(
  before: { status: Status; createdAt: Date },
  checks: readonly { required: boolean; check: Check }[],
  now: Date,
): Status {
  const required = checks.filter((record) => record.required).map(({ check }) => check.status)
  if (required.every((status) => status === 'found')) return 'verified'
  const isWrong = required.some((status) => status === 'missing' || status === 'different')
  if (!isWrong) return before.status === 'verified' ? 'verified' : 'temporary_failure'
  if (before.status === 'verified') return 'failed'
  return now.getTime() - before.createdAt.getTime() < PENDING_MS ? 'pending' : 'failed'
}
