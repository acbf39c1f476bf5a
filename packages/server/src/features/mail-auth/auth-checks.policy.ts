import { type AuthCheck, type AuthCheckCode, authCheckTexts, type StoredAuthChecks } from '@panel/contract/mail-auth'
import { sentenceText, type Sentence, type SentenceValues } from '@panel/contract/sentences'
import { oneLine } from '../../text/one-line.ts'
import { carriesKey, dkimName } from './dkim-record.policy.ts'
import { parseTagList } from './tag-list.policy.ts'

// Record texts are untrusted: any length, any characters.

export const authCheck = (status: AuthCheck['status'], sentences: Sentence<AuthCheckCode>[]): AuthCheck => ({
  status,
  detail: sentenceText(authCheckTexts, sentences),
  sentences
})
const pass = (code: AuthCheckCode, values: SentenceValues) => authCheck('pass', [{ code, values }])
const fail = (code: AuthCheckCode, values: SentenceValues) => authCheck('fail', [{ code, values }])
const shown = (text: string): string => oneLine(text, 200)

export function checkSpf(domain: string, texts: readonly string[]): AuthCheck {
  const found = texts.filter(isSpfRecord)
  const valid = found.find(hasSpfEnd)
  if (valid !== undefined)
    return found.length === 1
      ? pass('FOUND', { record: shown(valid) })
      : pass('SPF_SEVERAL', { record: shown(valid), count: found.length, domain })
  const [first] = found
  return first === undefined ? fail('SPF_MISSING', { domain }) : fail('SPF_WITHOUT_END', { record: shown(first) })
}

export const isSpfRecord = (text: string): boolean => /^v=spf1/i.test(text)

function hasSpfEnd(text: string): boolean {
  const terms = text.trimEnd().split(/\s+/)
  return terms[0]!.toLowerCase() === 'v=spf1' && /^[-~?]all$/i.test(terms.at(-1)!)
}

export function checkDmarc(domain: string, texts: readonly string[]): AuthCheck {
  const found = texts.filter(isDmarcRecord)
  const valid = found.find(hasDmarcPolicy)
  if (valid !== undefined) return pass('FOUND', { record: shown(valid) })
  const [first] = found
  return first === undefined
    ? fail('DMARC_MISSING', { domain })
    : fail('DMARC_WITHOUT_POLICY', { record: shown(first) })
}

export const isDmarcRecord = (text: string): boolean => /^v\s*=\s*DMARC1\s*(?:;|$)/.test(text)

function hasDmarcPolicy(text: string): boolean {
  const policy = parseTagList(text)?.get('p')
  return policy !== undefined && /^(?:none|quarantine|reject)$/i.test(policy)
}

export function checkMx(domain: string, hosts: readonly string[]): AuthCheck {
  // RFC 7505: null MX, the domain accepts no mail.
  const found = hosts.filter((host) => host !== '.')
  if (found.length === 0) return fail(hosts.length > 0 ? 'MX_TAKES_NONE' : 'MX_MISSING', { domain })
  const record = shown(found.slice(0, 5).join(', '))
  const own = `mail.${domain}`
  return found.includes(own) ? pass('FOUND', { record }) : pass('MX_ELSEWHERE', { record, own, domain })
}

interface PublishedKey {
  selector: string
  publicKey: string
  texts: readonly string[]
}

/** Check against our own zone: any record under the active selector, or under `default`, passes. */
export function checkStoredDkim(
  domain: string,
  { defaults, active }: { defaults: readonly string[]; active: PublishedKey | undefined }
): AuthCheck {
  const texts = active?.texts.length ? active.texts : defaults
  const name = `${dkimName(active?.texts.length ? active.selector : 'default')}.${domain}`
  const [first] = texts
  if (first === undefined) return fail('DKIM_MISSING', { name })
  if (!active) return pass('DKIM_NOT_SIGNING', { name })
  if (!texts.some((text) => carriesKey(text, active.publicKey)))
    return pass('DKIM_NOT_OURS', { record: shown(first), name: `${dkimName(active.selector)}.${domain}` })
  return pass('DKIM_MATCHES', { name })
}

export function checkLiveDkim(domain: string, active: PublishedKey | undefined): AuthCheck {
  if (!active) return fail('DKIM_NO_KEY', { domain })
  const name = `${dkimName(active.selector)}.${domain}`
  if (active.texts.some((text) => carriesKey(text, active.publicKey))) return pass('DKIM_MATCHES', { name })
  const [first] = active.texts
  return first === undefined ? fail('DKIM_MISSING', { name }) : fail('DKIM_OTHER_KEY', { record: shown(first), name })
}

/** For external DNS: the new record has not been looked up yet. */
export const afterRotation = (checks: StoredAuthChecks, domain: string, selector: string): StoredAuthChecks => ({
  ...checks,
  dkim: fail('DKIM_NOT_SEEN', { name: `${dkimName(selector)}.${domain}` })
})
