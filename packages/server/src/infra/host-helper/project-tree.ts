import { randomBytes } from 'node:crypto'
import { chmod, lchown, lstat, mkdir, readdir, readlink, rename, rm, symlink } from 'node:fs/promises'
import { join } from 'node:path'
import { AdapterError } from '../adapter-error.ts'
import { exists } from '../disk/exists.ts'
import { directoryProblem } from './owned-path.ts'

/**
 * The directories below PROJECTS_DIR. They belong to root, so that accounts cannot rename anything while root works there:
 *     u/<uid>/         chroot of an account, closed to others
 *     u/<uid>/<name>   a project's directory, owned by the account
 *     u/<uid>/.<id>    the same while it is renamed or removed
 *     by-id/<id>       link to either
 *     staging/  trash/
 * A directory is named by its project's id whenever the link may be wrong, so that after a crash it is always clear
 * whose it is: if `.<id>` exists, ignore the link; otherwise the link is right.
 */
export interface ProjectTree {
  home: string
  links: string
  staging: string
  trash: string
  uid: number
}

export async function openTree(projectsDirectory: string, uid: number): Promise<ProjectTree> {
  await mkdir(projectsDirectory, { recursive: true, mode: 0o700 })
  await requireOwn(projectsDirectory)
  const homes = join(projectsDirectory, 'u')
  const tree = {
    home: join(homes, String(uid)),
    links: join(projectsDirectory, 'by-id'),
    staging: join(projectsDirectory, 'staging'),
    trash: join(projectsDirectory, 'trash'),
    uid
  }
  await ensureRootDirectory(homes, 0o711, 0)
  await ensureRootDirectory(tree.home, 0o750, uid)
  await ensureRootDirectory(tree.links, 0o711, 0)
  await ensureRootDirectory(tree.staging, 0o700, 0)
  await ensureRootDirectory(tree.trash, 0o700, 0)
  return tree
}

async function ensureRootDirectory(path: string, mode: number, gid: number): Promise<void> {
  await mkdir(path, { mode: 0o700 }).catch(ignore('EEXIST'))
  await requireOwn(path)
  const found = await lstat(path)
  if (found.gid !== gid) await lchown(path, 0, gid)
  if ((found.mode & 0o7777) !== mode) await chmod(path, mode)
}

async function requireOwn(path: string): Promise<void> {
  const problem = await directoryProblem(path)
  if (problem !== undefined)
    throw new AdapterError('project-directories-unavailable', 'Project files are unavailable', {
      reason: problem
    })
}

export const transitName = (id: string): string => `.${id}`

export async function readLink(tree: ProjectTree, id: string): Promise<string | undefined> {
  const target = await readlink(join(tree.links, id)).catch(ignore('ENOENT'))
  const prefix = `../u/${tree.uid}/`
  return target?.startsWith(prefix) ? target.slice(prefix.length) : undefined
}

export async function readHolders(tree: ProjectTree): Promise<Map<string, string>> {
  const holders = new Map<string, string>()
  for (const id of await readdir(tree.links)) {
    if (id.startsWith('.')) continue
    const name = await readLink(tree, id)
    if (name !== undefined) holders.set(name, id)
  }
  return holders
}

export async function writeLink(tree: ProjectTree, id: string, name: string): Promise<void> {
  if ((await readLink(tree, id)) === name) return
  const draft = join(tree.links, `.${id}-${randomBytes(6).toString('hex')}`)
  await symlink(`../u/${tree.uid}/${name}`, draft)
  await rename(draft, join(tree.links, id))
}

export async function locate(tree: ProjectTree, id: string): Promise<string | undefined> {
  if (await exists(join(tree.home, transitName(id)))) return transitName(id)
  const name = await readLink(tree, id)
  return name !== undefined && (await exists(join(tree.home, name))) ? name : undefined
}

/** Names the directory by its id. Afterwards the link may be changed. */
export async function detach(tree: ProjectTree, id: string, name: string): Promise<void> {
  if (name !== transitName(id)) await rename(join(tree.home, name), join(tree.home, transitName(id)))
}

export async function attach(tree: ProjectTree, id: string, name: string): Promise<void> {
  const transit = join(tree.home, transitName(id))
  await giveTo(transit, tree.uid)
  await writeLink(tree, id, name)
  await rename(transit, join(tree.home, name))
}

/** Gives the directory itself to the account; keeps the mode if the account owns it already. */
export async function giveTo(path: string, uid: number): Promise<void> {
  const found = await lstat(path)
  if (!found.isDirectory())
    throw new AdapterError('project-directories-unavailable', 'The path of the project is not a directory', {
      reason: path
    })
  if (found.uid === uid && found.gid === uid) return
  await chmod(path, 0o750)
  await lchown(path, uid, uid)
}

export async function removeLink(tree: ProjectTree, id: string): Promise<void> {
  if ((await readLink(tree, id)) !== undefined) await rm(join(tree.links, id), { force: true })
}

function ignore(code: string): (error: NodeJS.ErrnoException) => undefined {
  return (error) => {
    if (error.code !== code) throw error
  }
}
