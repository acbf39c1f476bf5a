import { AppError } from '../../errors.ts'
import type { DatabaseAccount } from '../../infra/database-server/database-server.ts'
import type { FileTree } from '../../infra/file-store/file-store.ts'
import { environmentOf, openEnvironment } from '../env-vars/environment.service.ts'
import type { ProjectRow } from '../projects/project-access.ts'
import { readSiteConfig } from './site-config.service.ts'
import { findOwnDatabase } from './site-database-choice.service.ts'

type Deps = Parameters<typeof findOwnDatabase>[0] & Parameters<typeof openEnvironment>[0]

export interface SiteDatabase {
  id: string
  account: DatabaseAccount
  /** Of the site's tables. */
  prefix: string
}

/** The database that the site's configuration names, if it is the caller's. Never connects to the host in the file. */
export async function openSiteDatabase(
  deps: Deps,
  project: Pick<ProjectRow, 'id' | 'userId'>,
  tree: Pick<FileTree, 'open'>
): Promise<SiteDatabase> {
  const env = environmentOf((await openEnvironment(deps, project.id)).variables, 'web')
  const provided = await readSiteConfig(tree, env)
  const [name, user, password] = [
    provided.DB_NAME ?? env.DB_NAME,
    provided.DB_USER ?? env.DB_USER,
    provided.DB_PASSWORD ?? env.DB_PASSWORD
  ]
  const host = provided.DB_HOST ?? env.DB_HOST ?? ''
  if (!name || !user || !password)
    throw new AppError(
      'CONFLICT',
      'No database configured. Set it in wp-config.php or in the variables DB_NAME, DB_USER and DB_PASSWORD.'
    )
  const found = await findOwnDatabase(deps, project.userId, { name, user, password, host })
  if (!found)
    throw new AppError(
      'CONFLICT',
      'The database in wp-config.php is not one of your databases on this server, or its password is wrong. Correct wp-config.php.'
    )
  return { id: found.row.id, account: found.account, prefix: provided.tablePrefix ?? 'wp_' }
}
