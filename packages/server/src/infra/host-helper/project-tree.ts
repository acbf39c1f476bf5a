import { randomBytes } from 'node:crypto'
import { chmod, lchown, lstat, mkdir, readdir, readlink, rename, rm, symlink } from 'node:fs/promises'
import { join } from 'node:path'
import { AdapterError } from '../adapter-error.ts'
import { exists } from '../disk/exists.ts'
import { directoryProblem } from './owned-path.ts'

/**
 * The directories below PROJECTS_DIR. All of these are root's, so that nobody changes a name in them while root works there:
 *
 *     u/<uid>/         the chroot of an account: others may not pass it
 *     u/<uid>/<name>   a project's directory, the account's own
 *     u/<uid>/.<id>    the same on its way to another name, or to the trash
 *     by-id/<id>       a link to either
 *     staging/  trash/
 *
 * A directory has its project's id as its name for as long as the link may be wrong, so that a crash between any two steps leaves no doubt
 * which project is in it: where `.<id>` is there, the link says nothing; where it is not, the link is right.
 */
export interface ProjectTree {
  home: string
  links: string
  staging: string
  trash: string
  uid: number
}

/** Opens the tree of an account; makes what is missing of the frame. */
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
  await makeFrame(homes, 0o711, 0)
  await makeFrame(tree.home, 0o750, uid)
  await makeFrame(tree.links, 0o711, 0)
  await makeFrame(tree.staging, 0o700, 0)
  await makeFrame(tree.trash, 0o700, 0)
  return tree
}

async function makeFrame(path: string, mode: number, gid: number): Promise<void> {
  await mkdir(path, { mode: 0o700 }).catch(ignore('EEXIST'))
  await requireOwn(path)
  const found = await lstat(path)
  if (found.gid !== gid) await lchown(path, 0, gid)
  if ((found.mode & 0o7777) !== mode) await chmod(path, mode)
}

async function requireOwn(path: string): Promise<void> {
  const problem = await directoryProblem(path)
  if (problem !== undefined)
    throw new AdapterError('project-directories-unavailable', 'The folder of the projects cannot be used', {
      reason: problem
    })
}

/** Where a project's directory goes when its name is not known: the name itself cannot begin with a dot. */
export const transitName = (id: string): string => `.${id}`

/** The name that the project's link gives; undefined where there is no link, or it leads to another account. */
export async function readLink(tree: ProjectTree, id: string): Promise<string | undefined> {
  const target = await readlink(join(tree.links, id)).catch(ignore('ENOENT'))
  const prefix = `../u/${tree.uid}/`
  return target?.startsWith(prefix) ? target.slice(prefix.length) : undefined
}

/** All links into this account's directory: name → id. */
export async function readHolders(tree: ProjectTree): Promise<Map<string, string>> {
  const holders = new Map<string, string>()
  for (const id of await readdir(tree.links)) {
    if (id.startsWith('.')) continue
    const name = await readLink(tree, id)
    if (name !== undefined) holders.set(name, id)
  }
  return holders
}

/** Replaces the link at once: whoever follows it finds the previous target or the new one. */
export async function writeLink(tree: ProjectTree, id: string, name: string): Promise<void> {
  if ((await readLink(tree, id)) === name) return
  const draft = join(tree.links, `.${id}-${randomBytes(6).toString('hex')}`)
  await symlink(`../u/${tree.uid}/${name}`, draft)
  await rename(draft, join(tree.links, id))
}

/** The name that the project's directory has now; undefined where there is none. */
export async function locate(tree: ProjectTree, id: string): Promise<string | undefined> {
  if (await exists(join(tree.home, transitName(id)))) return transitName(id)
  const name = await readLink(tree, id)
  return name !== undefined && (await exists(join(tree.home, name))) ? name : undefined
}

/** Gives the directory its id as its name. From here on the link may be changed. */
export async function detach(tree: ProjectTree, id: string, name: string): Promise<void> {
  if (name !== transitName(id)) await rename(join(tree.home, name), join(tree.home, transitName(id)))
}

/** Gives a detached directory its name, which must be free. */
export async function attach(tree: ProjectTree, id: string, name: string): Promise<void> {
  const transit = join(tree.home, transitName(id))
  await giveTo(transit, tree.uid)
  await writeLink(tree, id, name)
  await rename(transit, join(tree.home, name))
}

/** The directory itself becomes the account's; its own mode stays where it is theirs already. */
export async function giveTo(path: string, uid: number): Promise<void> {
  const found = await lstat(path)
  if (!found.isDirectory())
    throw new AdapterError('project-directories-unavailable', 'Something else is where the project has its directory', {
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
