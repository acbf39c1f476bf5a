import { join } from 'node:path'
import type { Config } from '../../config.ts'
import type { Dependencies } from '../../dependencies.ts'
import { newId } from '../../security/ids.ts'
import { listStaged, makeStagingDirectory } from '../../infra/staging/staging.ts'
import { stagingRoot } from '../../process/paths.ts'

// Both ids are the panel's own (lowercase letters and digits), so neither path can leave its directory.

/** Everything of a project that lies on the host's disk. */
const workspaceDirectory = (config: Pick<Config, 'PROJECTS_DIR'>, projectId: string): string =>
  join(config.PROJECTS_DIR, projectId)

/** Its bare repository. */
export const repositoryDirectory = (config: Pick<Config, 'PROJECTS_DIR'>, projectId: string): string =>
  join(workspaceDirectory(config, projectId), 'repository.git')

/** The folder of a project's private deploy keys: one, and while it is replaced two. */
const keyDirectory = (config: Pick<Config, 'SSH_KEYS_DIR'>, projectId: string): string =>
  join(config.SSH_KEYS_DIR, projectId)

export const newKeyPath = (config: Pick<Config, 'SSH_KEYS_DIR'>, projectId: string): string =>
  join(keyDirectory(config, projectId), newId())

const passingRoot = (config: Pick<Config, 'PROJECTS_DIR'>): string => join(stagingRoot(config), 'repositories')

/** Longer than anybody looks at one: what is older was left by a process that ended. */
const passingMs = 60 * 60_000

/** A repository that is looked at and not kept: where one may be made, for the time of the work. */
export async function withPassingRepository<T>(
  { config, git, now }: Pick<Dependencies, 'config' | 'git' | 'now'>,
  work: (directory: string) => Promise<T>
): Promise<T> {
  const root = passingRoot(config)
  await makeStagingDirectory(root)
  for (const name of await listStaged(root)) if (isOver(name, now())) await git.remove(join(root, name))
  const place = join(root, `${now().getTime()}-${newId()}`)
  try {
    return await work(join(place, 'repository.git'))
  } finally {
    await git.remove(place)
  }
}

const isOver = (name: string, now: Date): boolean => now.getTime() - Number.parseInt(name, 10) > passingMs

/** All that is kept of a project here: the repository and the deploy keys. */
export async function removeWorkspace(
  { config, git }: Pick<Dependencies, 'config' | 'git'>,
  projectId: string
): Promise<void> {
  for (const directory of [workspaceDirectory(config, projectId), keyDirectory(config, projectId)])
    await git.remove(directory)
}
