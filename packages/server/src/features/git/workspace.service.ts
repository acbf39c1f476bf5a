import { join } from 'node:path'
import type { Config } from '../../config.ts'
import type { Dependencies } from '../../dependencies.ts'
import { newId } from '../../ids.ts'

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

/** All that is kept of a project here: the repository and the deploy keys. */
export async function removeWorkspace(
  { config, git }: Pick<Dependencies, 'config' | 'git'>,
  projectId: string
): Promise<void> {
  for (const directory of [workspaceDirectory(config, projectId), keyDirectory(config, projectId)])
    await git.remove(directory)
}
