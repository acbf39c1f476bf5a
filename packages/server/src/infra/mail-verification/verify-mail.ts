import { isIP } from 'node:net'
import type { DeliveryTestAnswer } from '@panel/contract/delivery-tests'
import type { authenticate } from 'mailauth'
import { oneLine } from '../../text/one-line.ts'
import type { LookupType, PublicDns } from '../public-dns/public-dns.ts'
import type { VerifyMail } from './mail-verification.ts'
import { parseReceived } from './received-header.ts'

const timeoutMs = 30_000
const maxSignatures = 5
const nothing = { spf: { result: 'none', domain: null }, dkim: [], dmarc: { result: 'none', policy: null } }

export const createMailVerifier =
  ({ publicDns, hostname }: { publicDns: PublicDns; hostname: string }): VerifyMail =>
  async (message, sender) => {
    const { clientIp, helo, tls } = parseReceived(message)
    const seen = { clientIp: clientIp ?? null, tls: tls ?? null }
    if (clientIp === undefined || isIP(clientIp) === 0) return { ...seen, ...nothing }
    // Loaded on first use: it takes half as long as starting the panel, and most panels never need it.
    const mailauth = await import('mailauth')
    const checked = mailauth.authenticate(message, {
      ip: clientIp,
      helo: helo ?? '',
      sender,
      mta: hostname,
      resolver: resolverOf(publicDns) as never,
      disableArc: true,
      disableBimi: true
    })
    const found = await Promise.race([checked, late()])
    return found === undefined ? { ...seen, ...nothing } : { ...seen, ...answerOf(found) }
  }

const late = () => new Promise<undefined>((resolve) => setTimeout(() => resolve(undefined), timeoutMs).unref())

type Found = Awaited<ReturnType<typeof authenticate>>

function answerOf({ spf, dkim, dmarc }: Found): Pick<DeliveryTestAnswer, 'spf' | 'dkim' | 'dmarc'> {
  const text = (value: unknown) => (typeof value === 'string' && value !== '' ? oneLine(value, 200) : null)
  const word = (value: unknown) => oneLine(String(value ?? 'none'), 20)
  return {
    spf: spf ? { result: word(spf.status.result), domain: text(spf.domain) } : nothing.spf,
    dkim: dkim.results
      .filter(({ status }) => status.result !== 'none')
      .slice(0, maxSignatures)
      .map(({ status, signingDomain, selector }) => ({
        result: word(status.result),
        domain: text(signingDomain),
        selector: text(selector)
      })),
    dmarc: dmarc ? { result: word(dmarc.status.result), policy: text(dmarc.policy) } : nothing.dmarc
  }
}

const resolverOf = (publicDns: PublicDns) => async (name: string, type: string) => {
  const lookups = await publicDns.lookUp(name, type as LookupType)
  const found = lookups.find(({ error }) => error === null)
  if (!found) {
    const isNone = lookups.some(({ error }) => error === 'NXDOMAIN' || error === 'NODATA')
    throw Object.assign(new Error(`${type} of ${name}`), { code: isNone ? 'ENOTFOUND' : 'ETIMEOUT' })
  }
  if (type === 'TXT') return found.values.map((value) => [value])
  if (type !== 'MX') return found.values
  return found.values.map((value) => ({ priority: parseInt(value, 10), exchange: value.slice(value.indexOf(' ') + 1) }))
}
