import type { MailServerCheck, ServerAddressCheck } from '@panel/contract/mail-auth'
import { ownDomain } from '../../config/panel.ts'
import type { Dependencies } from '../../dependencies.ts'
import type { Lookup, PublicDns } from '../../infra/public-dns/public-dns.ts'
import { publicAddressesOf } from '../domains/public-ip.service.ts'
import { authCheck, checkSpf } from './auth-checks.policy.ts'
import { blocklistQuestions, checkBlocklist, isListedBy } from './blocklist-answer.policy.ts'
import { type Blocklist, blocklistsOf } from './blocklists.policy.ts'
import { bestOf } from './live-check.policy.ts'
import { isDnsMocked } from './live-check.service.ts'
import { checkReverseDns, claimedNames } from './reverse-dns.policy.ts'
import { reverseName } from './reverse-name.policy.ts'

type Deps = Pick<Dependencies, 'config' | 'now' | 'publicDns'>

// Shared by all accounts, which bounds the queries of one process however often they request a check.
const keptMs = 10 * 60_000
const keptUnknownMs = 60_000

interface KeptCheck {
  until: number
  check: Promise<MailServerCheck>
}
const kept = new WeakMap<PublicDns, KeptCheck>()

/** Reverse DNS and blocklist status of the addresses that send mail. Cached for ten minutes, failed lookups for one. */
export async function checkMailServer(
  deps: Deps,
  addresses: readonly string[] = isDnsMocked(deps.config) ? [] : publicAddressesOf(deps.config)
): Promise<MailServerCheck> {
  const now = deps.now().getTime()
  const found = kept.get(deps.publicDns)
  if (found && found.until > now) return found.check
  const fresh: KeptCheck = { until: now + keptMs, check: ask(deps, addresses) }
  kept.set(deps.publicDns, fresh)
  try {
    const check = await fresh.check
    if (isUnsure(check)) fresh.until = now + keptUnknownMs
    return check
  } catch (error) {
    kept.delete(deps.publicDns)
    throw error
  }
}

const isUnsure = ({ addresses, spf }: MailServerCheck): boolean =>
  spf.sentences.some(({ code }) => code === 'NO_ANSWER') ||
  addresses.some(
    ({ reverseDns, blocklists }) =>
      reverseDns.status === 'unknown' || blocklists.some(({ status }) => status === 'unknown')
  )

async function ask(deps: Deps, addresses: readonly string[]): Promise<MailServerCheck> {
  const hostname = `mail.${ownDomain(deps.config)}`
  const lists = deps.config.MAIL_BLOCKLISTS.map((zone) => testedList(deps, zone))
  return {
    hostname,
    spf: addresses.length === 0 ? authCheck('fail', [{ code: 'NOT_CHECKED' }]) : await querySpf(deps, hostname),
    checkedAt: deps.now().toISOString(),
    addresses: await Promise.all(addresses.map((address) => checkAddress(deps, address, hostname, lists)))
  }
}

/** A list with its RFC 5782 test entries, queried once for all addresses. */
interface TestedList {
  list: Blocklist
  positive: Promise<Lookup[]>
  negative: Promise<Lookup[]>
}

function testedList({ publicDns }: Pick<Deps, 'publicDns'>, zone: string): TestedList {
  const { positive, negative } = blocklistQuestions('127.0.0.1', zone)
  return {
    list: blocklistsOf([zone])[0]!,
    positive: publicDns.lookUp(positive, 'A'),
    negative: publicDns.lookUp(negative, 'A')
  }
}

async function checkAddress(
  deps: Deps,
  address: string,
  hostname: string,
  lists: readonly TestedList[]
): Promise<ServerAddressCheck> {
  const requested = lists.filter(({ list }) => list.hasIpv6 || !address.includes(':'))
  const [reverseDns, blocklists] = await Promise.all([
    queryReverseDns(deps, address, hostname),
    Promise.all(requested.map((list) => queryBlocklist(deps, address, list)))
  ])
  return { address, reverseDns, blocklists }
}

const querySpf = async ({ publicDns }: Pick<Deps, 'publicDns'>, hostname: string) =>
  bestOf(await publicDns.lookUp(hostname, 'TXT'), (texts) => checkSpf(hostname, texts))

async function queryReverseDns({ publicDns }: Pick<Deps, 'publicDns'>, address: string, hostname: string) {
  const pointers = await publicDns.lookUp(reverseName(address), 'PTR')
  const type = address.includes(':') ? 'AAAA' : 'A'
  const forward = await Promise.all(
    claimedNames(pointers).map(async (name) => [name, await publicDns.lookUp(name, type)] as const)
  )
  return checkReverseDns({ address, hostname, pointers, forward: new Map(forward) })
}

async function queryBlocklist({ publicDns }: Pick<Deps, 'publicDns'>, address: string, tested: TestedList) {
  const question = blocklistQuestions(address, tested.list.zone).listed
  const listed = await publicDns.lookUp(question, 'A')
  const reasons = isListedBy(listed) ? await publicDns.lookUp(question, 'TXT') : []
  return checkBlocklist(tested.list, {
    listed,
    positive: await tested.positive,
    negative: await tested.negative,
    reasons
  })
}
