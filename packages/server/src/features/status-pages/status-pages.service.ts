import { randomBytes } from 'node:crypto'
import type { SaveStatusPage, StatusPage } from '@panel/contract/status-pages'
import { isUniqueViolation } from '../../db/unique-violation.ts'
import type { Dependencies } from '../../dependencies.ts'
import { AppError } from '../../errors.ts'
import { type AuditOrigin, recordAudit } from '../audit/recording.service.ts'
import { getOwnProject, lockProject, ownedBy } from '../projects/project-access.ts'
import { statusPath } from './status-address.policy.ts'
import { findPage, isSlugTaken, savePage, type StatusPageRow } from './status-pages.repository.ts'

type Deps = Pick<Dependencies, 'config' | 'db' | 'now'>

const firstDays = 30

export async function readStatusPage(deps: Pick<Deps, 'config' | 'db'>, userId: string, projectId: string) {
  const project = await getOwnProject(deps.db, projectId, userId)
  const page = await findPage(deps.db, project.id)
  if (!page) throw new AppError('NOT_FOUND', 'The project has no status page yet. Create it with PUT.')
  return pageView(deps, page)
}

export async function saveStatusPage(
  deps: Deps,
  origin: AuditOrigin,
  userId: string,
  projectId: string,
  given: SaveStatusPage
): Promise<StatusPage> {
  const now = deps.now()
  try {
    return await deps.db.transaction(async (trx) => {
      ownedBy(await lockProject(trx, projectId), userId)
      const before = await findPage(trx, projectId)
      const title = given.title ?? before?.title
      if (title === undefined) throw new AppError('VALIDATION_ERROR', 'title: is required when the page is created')
      const page: StatusPageRow = {
        projectId,
        slug: given.slug ?? before?.slug ?? randomBytes(16).toString('hex'),
        title,
        isEnabled: given.enabled,
        showDays: given.showDays ?? before?.showDays ?? firstDays,
        createdAt: before?.createdAt ?? now,
        updatedAt: now
      }
      if (await isSlugTaken(trx, page.slug, projectId)) throw slugExists()
      await savePage(trx, page)
      await recordAudit(deps, trx, origin, {
        action: 'status_page.saved',
        actorId: userId,
        targetId: projectId,
        metadata: { enabled: page.isEnabled, slug: page.slug }
      })
      return pageView(deps, page)
    })
  } catch (error) {
    // Two concurrent requests may choose the same slug.
    if (isUniqueViolation(error, 'status_pages_slug')) throw slugExists()
    throw error
  }
}

const slugExists = () => new AppError('CONFLICT', 'Another status page has this address. Choose another one.')

const pageView = ({ config }: Pick<Deps, 'config'>, page: StatusPageRow): StatusPage => ({
  projectId: page.projectId,
  enabled: page.isEnabled,
  slug: page.slug,
  title: page.title,
  showDays: page.showDays,
  url: `${config.API_BASE_URL}${statusPath(page.slug)}`,
  createdAt: page.createdAt.toISOString(),
  updatedAt: page.updatedAt.toISOString()
})
