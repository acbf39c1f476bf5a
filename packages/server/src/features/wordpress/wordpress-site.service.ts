import { randomInt } from 'node:crypto'
import type { Dependencies } from '../../dependencies.ts'
import { AdapterError } from '../../infra/adapter-error.ts'
import { ensureProjectDatabase } from '../databases/project-database.service.ts'
import { listEnvVarFacts } from '../env-vars/env-var-access.ts'
import { projectTree } from '../files/project-files.service.ts'
import type { ProjectRow } from '../projects/project-access.ts'
import { renderWpConfig, saltNames, type Salts } from './wp-config.render.ts'

/**
 * Makes and links a database for a site that has none, unless its owner has set by hand which one it uses. Rejects with AppError where
 * the quota or the engine does not allow it.
 */
export async function ensureSiteDatabase(
  deps: Parameters<typeof ensureProjectDatabase>[0],
  project: Pick<ProjectRow, 'id' | 'userId' | 'name'>
): Promise<void> {
  const variables = await listEnvVarFacts(deps.db, project.id)
  const isChosen = variables.some(({ key, databaseId }) => databaseId === null && /^(WORDPRESS_)?DB_/.test(key))
  if (!isChosen) await ensureProjectDatabase(deps, undefined, project, 'MYSQL')
}

/**
 * What a site's files must have before its container starts: a wp-config.php of its own where there is none, and the directories that
 * `volumes` are mounted over (the engine would make them root's).
 */
export async function prepareSiteFiles(
  deps: Pick<Dependencies, 'config' | 'db' | 'fileStore' | 'hostHelper'>,
  project: ProjectRow,
  facts: { env: Readonly<Record<string, string>>; root: string; volumes: readonly { target: string }[] }
): Promise<void> {
  const tree = await projectTree(deps, project, { isProtected: () => false })
  for (const { target } of facts.volumes) {
    const names = target.slice(facts.root.length + 1).split('/')
    for (let depth = 1; depth <= names.length; depth++) await unlessThere(tree.mkdir(names.slice(0, depth).join('/')))
  }
  const prefix = facts.env.WORDPRESS_TABLE_PREFIX ?? ''
  const text = renderWpConfig({ tablePrefix: /^\w+$/.test(prefix) ? prefix : 'wp_', salts: newSalts() })
  const isNew = await unlessThere(tree.write('wp-config.php', text, { mode: 'create' }))
  if (isNew) await tree.chmod('wp-config.php', 0o640)
}

/** Whether it was made; false when something was there already. */
async function unlessThere(making: Promise<unknown>): Promise<boolean> {
  try {
    await making
    return true
  } catch (error) {
    if (error instanceof AdapterError && error.kind === 'file-exists') return false
    throw error
  }
}

// Those that WordPress takes for its own.
const saltCharacters = 'abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789!@#$%^&*()-_ []{}<>~`+=,.;:/?|'

/** Fresh keys and salts, of 64 characters each. */
export function newSalts(): Salts {
  const salt = () => Array.from({ length: 64 }, () => saltCharacters[randomInt(saltCharacters.length)]).join('')
  return Object.fromEntries(saltNames.map((name) => [name, salt()])) as Salts
}
