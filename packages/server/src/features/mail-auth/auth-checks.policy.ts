import type { AuthCheck, AuthChecks } from '@panel/contract/mail-auth'
import { oneLine } from '../../one-line.ts'
import { carriesKey, dkimName } from './dkim-record.policy.ts'
import { parseTagList } from './tag-list.policy.ts'

// What receivers want of each record. The texts are a customer's own or a stranger's: of any length and any characters.

const pass = (detail: string): AuthCheck => ({ status: 'pass', detail })
const fail = (detail: string): AuthCheck => ({ status: 'fail', detail })
const shown = (text: string): string => oneLine(text, 200)

/** `texts` are the TXT values at the domain itself. */
export function checkSpf(domain: string, texts: readonly string[]): AuthCheck {
  const found = texts.filter(isSpfRecord)
  const valid = found.find(hasSpfEnd)
  if (valid !== undefined)
    return pass(
      found.length === 1
        ? shown(valid)
        : `${shown(valid)} – but ${found.length} TXT records of ${domain} begin with v=spf1, and receivers take none of several: leave one`
    )
  const [first] = found
  return fail(
    first === undefined
      ? `No TXT record of ${domain} begins with v=spf1`
      : `${shown(first)} – must end in ~all, -all or ?all, with spaces between its terms`
  )
}

export const isSpfRecord = (text: string): boolean => /^v=spf1/i.test(text)

function hasSpfEnd(text: string): boolean {
  const terms = text.trimEnd().split(/\s+/)
  return terms[0]!.toLowerCase() === 'v=spf1' && /^[-~?]all$/i.test(terms.at(-1)!)
}

/** `texts` are the TXT values at `_dmarc` of the domain. */
export function checkDmarc(domain: string, texts: readonly string[]): AuthCheck {
  const found = texts.filter(isDmarcRecord)
  const valid = found.find(hasDmarcPolicy)
  if (valid !== undefined) return pass(shown(valid))
  const [first] = found
  return fail(
    first === undefined
      ? `No TXT record of _dmarc.${domain} begins with v=DMARC1`
      : `${shown(first)} – must have one p= tag: none, quarantine or reject`
  )
}

export const isDmarcRecord = (text: string): boolean => /^v\s*=\s*DMARC1\s*(?:;|$)/.test(text)

function hasDmarcPolicy(text: string): boolean {
  const policy = parseTagList(text)?.get('p')
  return policy !== undefined && /^(?:none|quarantine|reject)$/i.test(policy)
}

/** `hosts` are those of the MX records at the domain. */
export function checkMx(domain: string, hosts: readonly string[]): AuthCheck {
  // RFC 7505: the root says that the domain takes no mail.
  const found = hosts.filter((host) => host !== '.')
  if (found.length === 0)
    return fail(
      hosts.length > 0 ? `The MX record of ${domain} says that it takes no mail` : `${domain} has no MX record`
    )
  const listed = shown(found.slice(0, 5).join(', '))
  const own = `mail.${domain}`
  return pass(
    found.includes(own) ? listed : `${listed} – not ${own}: mail to ${domain} comes to this server if that is it`
  )
}

/** The key that a domain signs with, and the TXT values at its name. */
interface PublishedKey {
  selector: string
  publicKey: string
  texts: readonly string[]
}

/** As the score counts it: a record at `default._domainkey`, or at the selector that came in its place. */
export function checkStoredDkim(
  domain: string,
  { defaults, active }: { defaults: readonly string[]; active: PublishedKey | undefined }
): AuthCheck {
  const texts = active?.texts.length ? active.texts : defaults
  const name = `${dkimName(active?.texts.length ? active.selector : 'default')}.${domain}`
  const [first] = texts
  if (first === undefined) return fail(`No TXT record at ${name}`)
  if (!active) return pass(`${name} – but no key of it is here, and mail is not signed`)
  if (!texts.some((text) => carriesKey(text, active.publicKey)))
    return pass(
      `${shown(first)} – but this is not the key that mail is signed with here (${dkimName(active.selector)}.${domain})`
    )
  return pass(`${name} has the key that mail is signed with`)
}

/** As receivers find it: the record must carry the very key. */
export function checkLiveDkim(domain: string, active: PublishedKey | undefined): AuthCheck {
  if (!active) return fail(`${domain} has no key yet`)
  const name = `${dkimName(active.selector)}.${domain}`
  if (active.texts.some((text) => carriesKey(text, active.publicKey)))
    return pass(`${name} has the key that mail is signed with`)
  const [first] = active.texts
  return fail(
    first === undefined
      ? `No TXT record at ${name}`
      : `${shown(first)} – ${name} has another key than mail is signed with`
  )
}

/** What is known of a domain whose DNS is elsewhere once its key is another: nobody has seen the new record there. */
export const afterRotation = (checks: AuthChecks, domain: string, selector: string): AuthChecks => ({
  ...checks,
  dkim: fail(`No TXT record was seen at ${dkimName(selector)}.${domain} yet: add it, then look again`)
})
