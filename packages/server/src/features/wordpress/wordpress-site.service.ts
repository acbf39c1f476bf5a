import { randomInt } from 'node:crypto'
import type { Dependencies } from '../../dependencies.ts'
import { AdapterError } from '../../infra/adapter-error.ts'
import { ensureProjectDatabase } from '../databases/project-database.service.ts'
import { listEnvVarFacts } from '../env-vars/env-var-access.ts'
import { projectTree } from '../files/project-files.service.ts'
import type { ProjectRow } from '../projects/project-access.ts'
import { renderWpConfig, saltNames, type Salts } from './wp-config.render.ts'

/** Creates and links a database unless the owner configured one by hand. Rejects if over quota. */
export async function ensureSiteDatabase(
  deps: Parameters<typeof ensureProjectDatabase>[0],
  project: Pick<ProjectRow, 'id' | 'userId' | 'name'>,
  signal?: AbortSignal
): Promise<void> {
  const variables = await listEnvVarFacts(deps.db, { projectId: project.id })
  const isChosen = variables.some(({ key, databaseId }) => databaseId === null && /^(WORDPRESS_)?DB_/.test(key))
  if (!isChosen) await ensureProjectDatabase(deps, project, 'MYSQL', signal)
}

/** Creates wp-config.php if missing, and the mount points of `volumes`, which the engine would create as root. */
export async function prepareSiteFiles(
  deps: Pick<Dependencies, 'config' | 'db' | 'nodes'>,
  project: ProjectRow,
  facts: { env: Readonly<Record<string, string>>; root: string; volumes: readonly { target: string }[] }
): Promise<void> {
  const tree = await projectTree(deps, project, { protects: 'nothing' })
  for (const { target } of facts.volumes) {
    const names = target.slice(facts.root.length + 1).split('/')
    for (let depth = 1; depth <= names.length; depth++)
      await createIfMissing(tree.mkdir(names.slice(0, depth).join('/')))
  }
  const prefix = facts.env.WORDPRESS_TABLE_PREFIX ?? ''
  const text = renderWpConfig({ tablePrefix: /^\w+$/.test(prefix) ? prefix : 'wp_', salts: newSalts() })
  const isNew = await createIfMissing(tree.write('wp-config.php', text, { mode: 'create' }))
  if (isNew) await tree.chmod('wp-config.php', 0o640)
}

async function createIfMissing(making: Promise<unknown>): Promise<boolean> {
  try {
    await making
    return true
  } catch (error) {
    if (error instanceof AdapterError && error.kind === 'file-exists') return false
    throw error
  }
}

const saltCharacters = 'abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789!@#$%^&*()-_ []{}<>~`+=,.;:/?|'

export function newSalts(): Salts {
  const salt = () => Array.from({ length: 64 }, () => saltCharacters[randomInt(saltCharacters.length)]).join('')
  return Object.fromEntries(saltNames.map((name) => [name, salt()])) as Salts
}
