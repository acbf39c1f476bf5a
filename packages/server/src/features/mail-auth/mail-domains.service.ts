import { pagination } from '@panel/contract/common'
import {
  authCheckNames,
  authCheckTexts,
  type AuthChecks,
  type MailDomain,
  type MailDomainList,
  type MailDomainQuery,
  type StoredAuthChecks
} from '@panel/contract/mail-auth'
import { knownSentences } from '@panel/contract/sentences'
import type { Dependencies } from '../../dependencies.ts'
import { listRecordsNamed, type StoredRecord } from '../dns-zones/zone-access.ts'
import { listMailHostLabels } from '../mail-clients/mail-hosts.service.ts'
import { countByDomain } from '../mailboxes/mailbox-access.ts'
import type { DomainRow } from '../feature.ts'
import { authCheck, checkDmarc, checkMx, checkSpf, checkStoredDkim } from './auth-checks.policy.ts'
import { dkimName } from './dkim-record.policy.ts'
import {
  type DkimKeyRow,
  findMailAuth,
  listActiveKeys,
  listSigningOf,
  type MailAuthRow,
  type MailDomainRows,
  searchMailDomains
} from './mail-auth.repository.ts'
import { type RecordFacts, recordsOf } from './records.service.ts'
import { firstSelector } from './selector.policy.ts'
import { mailDomainView } from './mail-domain-view.ts'

type Deps = Pick<Dependencies, 'config' | 'db'>

/** A page of the account's mail domains, by name. Reads the database only. */
export async function listMailDomains(deps: Deps, userId: string, query: MailDomainQuery): Promise<MailDomainList> {
  const { rows, total } = await searchMailDomains(deps.db, userId, query)
  return { domains: await describe(deps, rows), pagination: pagination(query.page, query.limit, total) }
}

export async function describeMailDomain(deps: Deps, domain: DomainRow): Promise<MailDomain> {
  const auth = (await findMailAuth(deps.db, domain.id)) ?? null
  return (await describe(deps, [{ domain, auth }]))[0]!
}

async function describe(deps: Deps, rows: readonly MailDomainRows[]): Promise<MailDomain[]> {
  const ids = rows.map(({ domain }) => domain.id)
  const [counts, keys, signing, hosts] = await Promise.all([
    countByDomain(deps.db, ids),
    listActiveKeys(deps.db, ids),
    listSigningOf(deps.db, ids),
    listMailHostLabels(
      deps.db,
      rows.map(({ domain }) => domain)
    )
  ])
  const managed = rows.flatMap(({ domain }) => (domain.zoneId === null ? [] : [domain]))
  const records = await listRecordsNamed(
    deps.db,
    managed.map(({ zoneId }) => zoneId!),
    managed.flatMap((domain) => namesOf(domain, keys.get(domain.id)))
  )
  return rows.map(({ domain, auth }) => {
    const key = keys.get(domain.id)
    const isHere = domain.zoneId !== null
    return mailDomainView({
      domain,
      mailboxCount: counts.get(domain.id) ?? 0,
      key,
      isSigning: signing.has(domain.id),
      checks: isHere ? checkStored(domain, key, records) : wholeChecks(auth?.checks ?? notChecked),
      elsewhere: isHere
        ? undefined
        : whatItTakes(deps, domain, auth, { keys: key ? [key] : [], hosts: hosts.get(domain.id)! })
    })
  })
}

const whatItTakes = (
  deps: Deps,
  domain: DomainRow,
  auth: MailAuthRow | null,
  facts: Pick<RecordFacts, 'keys' | 'hosts'>
) => ({
  records: recordsOf(deps, domain, { ...facts, mtaStsMode: auth?.mtaStsMode ?? 'testing' }),
  checkedAt: auth?.checkedAt ?? null,
  found: new Set(auth?.foundRecords)
})

const unknown = authCheck('fail', [{ code: 'NOT_CHECKED' }])
const notChecked: AuthChecks = { spf: unknown, dkim: unknown, dmarc: unknown, mx: unknown }

const wholeChecks = (stored: StoredAuthChecks): AuthChecks =>
  Object.fromEntries(
    authCheckNames.map((name) => [
      name,
      { ...stored[name], sentences: knownSentences(authCheckTexts, stored[name].sentences ?? []) }
    ])
  ) as unknown as AuthChecks

const namesOf = ({ hostname }: DomainRow, key: DkimKeyRow | undefined): string[] => [
  hostname,
  `_dmarc.${hostname}`,
  ...[firstSelector, ...(key ? [key.selector] : [])].map((selector) => `${dkimName(selector)}.${hostname}`)
]

/** Checks the records in the zone, whichever domain of the zone they belong to. */
function checkStored(
  { hostname, zoneId }: DomainRow,
  key: DkimKeyRow | undefined,
  records: readonly (StoredRecord & { zoneId: string })[]
): AuthChecks {
  const at = (owner: string, type: StoredRecord['type']) =>
    records
      .filter((record) => record.zoneId === zoneId && record.owner === owner && record.type === type)
      .map(({ value }) => value)
  const ofKey = (selector: string) => at(`${dkimName(selector)}.${hostname}`, 'TXT')
  return {
    spf: checkSpf(hostname, at(hostname, 'TXT')),
    dkim: checkStoredDkim(hostname, {
      defaults: ofKey(firstSelector),
      active: key && { selector: key.selector, publicKey: key.publicKey, texts: ofKey(key.selector) }
    }),
    dmarc: checkDmarc(hostname, at(`_dmarc.${hostname}`, 'TXT')),
    mx: checkMx(hostname, at(hostname, 'MX'))
  }
}
