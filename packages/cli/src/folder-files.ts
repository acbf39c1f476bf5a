import { execFile } from 'node:child_process'
import { lstat, readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import ignore, { type Ignore } from 'ignore'

const execute = promisify(execFile)
const maxListBytes = 64 * 2 ** 20
const ignoreFile = '.panelignore'

/**
 * Paths of the files and links of a folder to upload, sorted: in a Git working tree what .gitignore leaves, elsewhere
 * everything but node_modules and .git. `.panelignore` leaves out more, in the grammar of .gitignore.
 */
export async function listFolder(folder: string): Promise<string[]> {
  const listed = await listWorkingTree(folder)
  const rules = ignore().add(listed === undefined ? ['node_modules', '.git'] : ['.git'])
  rules.add(await readFile(join(folder, ignoreFile), 'utf8').catch(ifAbsent('')))
  const paths = listed === undefined ? await walk(folder, rules) : await existing(folder, rules.filter(listed))
  return paths.sort()
}

/** Undefined if the folder is not in a working tree, or Git is not installed. */
async function listWorkingTree(folder: string): Promise<string[] | undefined> {
  const args = ['-C', folder, 'ls-files', '--cached', '--others', '--exclude-standard', '--deduplicate', '-z']
  try {
    const { stdout } = await execute('git', args, { maxBuffer: maxListBytes })
    return stdout.split('\0').filter((path) => path !== '')
  } catch (error) {
    if (error instanceof Error && 'code' in error && (error.code === 'ENOENT' || error.code === 128)) return undefined
    throw error
  }
}

/** Git also lists files that were deleted since the last commit, and the folders of submodules. */
async function existing(folder: string, paths: readonly string[]): Promise<string[]> {
  const found: string[] = []
  for (const path of paths) {
    const about = await lstat(join(folder, path)).catch(ifAbsent(undefined))
    if (about?.isFile() || about?.isSymbolicLink()) found.push(path)
  }
  return found
}

async function walk(folder: string, rules: Ignore, below = ''): Promise<string[]> {
  const found: string[] = []
  for (const entry of await readdir(join(folder, below), { withFileTypes: true })) {
    const path = `${below}${entry.name}`
    if (rules.ignores(entry.isDirectory() ? `${path}/` : path)) continue
    if (entry.isDirectory()) found.push(...(await walk(folder, rules, `${path}/`)))
    else if (entry.isFile() || entry.isSymbolicLink()) found.push(path)
  }
  return found
}

const ifAbsent =
  <T>(value: T) =>
  (cause: NodeJS.ErrnoException): T => {
    if (cause.code === 'ENOENT' || cause.code === 'ENOTDIR') return value
    throw cause
  }
