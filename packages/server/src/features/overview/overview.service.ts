import { type Overview, type OverviewCode, type OverviewItem, overviewTexts } from '@panel/contract/overview'
import { knownSentences, type Sentence } from '@panel/contract/sentences'
import type { Dependencies } from '../../dependencies.ts'
import { alertMs } from '../domains/certificate-expiry.policy.ts'
import { nearQuotas } from '../quota-alerts/near-quota.policy.ts'
import { listQuotaUses } from '../quota-alerts/quota-use.service.ts'
import { getActor, type UserRow } from '../users/account-access.ts'
import { certificateCode, containerCode, type Found, gatherOverview, severityOf } from './overview.policy.ts'
import {
  listAilingCertificates,
  listAilingContainers,
  listFailedDeployments,
  listNewestDeployments,
  listUnverifiedDomains
} from './overview.repository.ts'
import { countHeldMail, listPartsAway } from './server-state.service.ts'

/** What the account has to look at, and what was deployed last. */
export async function readOverview(deps: Dependencies, userId: string): Promise<Overview> {
  const user = await getActor(deps.db, userId)
  const [deployments, ...found] = await Promise.all([
    listNewestDeployments(deps.db, userId),
    ...ownSources.map((source) => source(deps, user)),
    ...(user.role === 'ADMIN' ? serverSources.map((source) => source(deps, user)) : [])
  ])
  return { ...gatherOverview(found), deployments }
}

type Source = (deps: Dependencies, user: UserRow) => Promise<Found>

const ownSources: readonly Source[] = [
  async ({ db }, { id }) =>
    foundIn(await listFailedDeployments(db, id), (row) =>
      item('DEPLOYMENT_FAILED', 'deployment', row.id, row.name, {
        projectId: row.projectId,
        detail: row.failure?.reason ?? null,
        sentences: row.failure?.sentences,
        since: row.since
      })
    ),
  async ({ db }, { id }) =>
    foundIn(await listAilingContainers(db, id), (row) =>
      item(containerCode(row), 'project', row.id, row.name, { detail: row.stopReason, since: row.since })
    ),
  async ({ db }, { id }) =>
    foundIn(await listUnverifiedDomains(db, id), (row) =>
      item(row.status === 'ERROR' ? 'DOMAIN_ERROR' : 'DOMAIN_NOT_VERIFIED', 'domain', row.id, hostOf(row), {
        since: row.since
      })
    ),
  async ({ db, now }, { id }) =>
    foundIn(await listAilingCertificates(db, id, new Date(now().getTime() + alertMs)), (row) =>
      item(certificateCode(row, now()), 'domain', row.domainId, row.hostname, {
        detail: row.errorMessage ?? row.validTo?.toISOString() ?? null,
        since: row.since
      })
    ),
  async (deps, user) => {
    const { crossed } = nearQuotas([], await listQuotaUses(deps, deps.db, user))
    return foundIn(crossed, ({ quota, used, limit }) =>
      item('QUOTA_NEARLY_USED', 'quota', quota, quota, { detail: `${used}/${limit}` })
    )
  }
]

const serverSources: readonly Source[] = [
  async (deps) =>
    foundIn(await listPartsAway(deps), ({ name, remedy }) => item('PART_AWAY', 'part', name, name, { detail: remedy })),
  async (_deps, user) =>
    foundIn(user.totpEnabled ? [] : [user], ({ id, email }) => item('TWO_FACTOR_OFF', 'account', id, email)),
  async (deps) => {
    const count = await countHeldMail(deps)
    return foundIn(count > 0 ? [count] : [], (held) => item('MAIL_HELD', 'mail', 'held', String(held)))
  }
]

/** `total` beside each row is how many there are with those beyond the limit. */
const foundIn = <Row>(rows: readonly Row[], itemOf: (row: Row) => OverviewItem): Found => ({
  items: rows.map(itemOf),
  total: (rows[0] as { total?: number } | undefined)?.total ?? rows.length
})

function item(
  code: OverviewCode,
  targetType: OverviewItem['targetType'],
  targetId: string,
  title: string,
  known: { projectId?: string; detail?: string | null; sentences?: readonly Sentence[] | undefined; since?: Date } = {}
): OverviewItem {
  const { projectId = null, detail = null, sentences = [], since } = known
  return {
    code,
    severity: severityOf(code),
    targetType,
    targetId,
    projectId,
    title,
    detail,
    sentences: knownSentences(overviewTexts, sentences),
    since: since?.toISOString() ?? null
  }
}

const hostOf = ({ hostname, pathPrefix }: { hostname: string; pathPrefix: string | null }) =>
  `${hostname}${pathPrefix ?? ''}`
