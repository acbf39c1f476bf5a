import { mkdir, readdir, rename } from 'node:fs/promises'
import { join, relative } from 'node:path'
import { AdapterError } from '../adapter-error.ts'
import { exists } from '../disk/exists.ts'
import type { Run } from '../process/process.ts'
import type { ProjectDirectory } from './host-helper.ts'
import {
  attach,
  detach,
  giveTo,
  locate,
  openTree,
  type ProjectTree,
  readHolders,
  readLink,
  removeLink,
  transitName,
  writeLink
} from './project-tree.ts'

interface Context {
  run: Run
  projectsDirectory: string
}

/** Moves all renamed projects aside first, so that two can swap names. */
export async function syncProjects(
  { projectsDirectory }: Context,
  uid: number,
  projects: readonly ProjectDirectory[]
): Promise<void> {
  const tree = await openTree(projectsDirectory, uid)
  const moving: ProjectDirectory[] = []
  for (const project of projects) {
    const current = await locate(tree, project.id)
    if (current === project.name) {
      await giveTo(join(tree.home, current), uid)
      continue
    }
    if (current === undefined) await makeDetached(tree, project)
    else await detach(tree, project.id, current)
    moving.push(project)
  }
  if (moving.length === 0) return
  const holders = await readHolders(tree)
  for (const { id, name } of moving) {
    const holder = holders.get(name)
    // Its link may have changed in this loop.
    const isHolder = holder !== undefined && holder !== id && (await readLink(tree, holder)) === name
    await clearName(tree, name, isHolder ? holder : undefined)
    await attach(tree, id, name)
  }
}

async function makeDetached(tree: ProjectTree, { id, name }: ProjectDirectory): Promise<void> {
  const isUnclaimed = (await exists(join(tree.home, name))) && !(await readHolders(tree)).has(name)
  if (isUnclaimed) await detach(tree, id, name)
  else await mkdir(join(tree.home, transitName(id)), { mode: 0o750 })
}

// Frees a name taken by a directory of no project in the list: of a deleted project or created by the administrator.
async function clearName(tree: ProjectTree, name: string, holder: string | undefined): Promise<void> {
  const isTaken = await exists(join(tree.home, name))
  if (holder === undefined) {
    if (isTaken) await rename(join(tree.home, name), join(tree.home, `.left.${name}.${Date.now().toString(36)}`))
  } else if (await exists(join(tree.home, transitName(holder)))) {
    await writeLink(tree, holder, transitName(holder))
  } else if (isTaken) {
    await detach(tree, holder, name)
    await writeLink(tree, holder, transitName(holder))
  } else {
    await removeLink(tree, holder)
  }
}

/** Unlinks the directory before deleting its content. */
export async function removeProject({ run, projectsDirectory }: Context, uid: number, id: string): Promise<void> {
  const tree = await openTree(projectsDirectory, uid)
  await emptyTrash(run, tree, id)
  const current = await locate(tree, id)
  if (current !== undefined) await detach(tree, id, current)
  await removeLink(tree, id)
  if (current === undefined) return
  await rename(join(tree.home, transitName(id)), join(tree.trash, id))
  await emptyTrash(run, tree, id)
}

/** rm walks directories relative to each other, so a running container cannot redirect it with a link. */
async function emptyTrash(run: Run, tree: ProjectTree, id: string): Promise<void> {
  for (const name of await readdir(tree.trash)) {
    if (name !== id && !name.startsWith(`${id}.`)) continue
    await run(['rm', '-rf', '--one-file-system', '--', join(tree.trash, name)], { timeoutMs: 10 * 60_000 })
  }
}

export async function replaceProject(
  { projectsDirectory }: Context,
  uid: number,
  id: string,
  staged: string,
  previous: string
): Promise<void> {
  const tree = await openTree(projectsDirectory, uid)
  requireStaged(tree, staged)
  requireStaged(tree, previous)
  const current = await locate(tree, id)
  const link = await readLink(tree, id)
  if (link === undefined)
    throw new AdapterError('project-directories-unavailable', 'This project has no directory yet. Try again.')
  const name = link === transitName(id) ? undefined : link
  if (name === undefined) throw new AdapterError('project-directories-unavailable', 'This project is being deleted')

  if (await exists(staged)) {
    if (current !== undefined) await detach(tree, id, current)
    const transit = join(tree.home, transitName(id))
    if (!(await exists(previous))) await rename(transit, previous)
    // Created between the two steps of an interrupted swap, for a project that seemed to have none.
    else if (await exists(transit)) await rename(transit, join(tree.trash, `${id}.${Date.now().toString(36)}`))
    await rename(staged, transit)
  } else if (current === undefined) {
    throw new AdapterError('project-directories-unavailable', 'The staged files are missing', {
      reason: staged
    })
  }
  if (await exists(join(tree.home, transitName(id)))) await attach(tree, id, name)
}

/** One or two names below the staging directory, which only root can access. */
function requireStaged(tree: ProjectTree, path: string): void {
  if (/^[A-Za-z0-9][A-Za-z0-9._-]*(\/[A-Za-z0-9][A-Za-z0-9._-]*)?$/.test(relative(tree.staging, path))) return
  throw new AdapterError('project-directories-unavailable', 'Files can only be taken from the staging directory', {
    reason: `${path} is not below ${tree.staging}`
  })
}
