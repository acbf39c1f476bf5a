import type { Run } from '../../infra/process/process.ts'

async function git(run: Run, root: string, ...args: string[]): Promise<string> {
  const { stdout } = await run(['git', ...args], { cwd: root, timeoutMs: 30_000, maxOutputBytes: 16 * 1024 * 1024 })
  return stdout
}

/** The commit that is checked out. */
export const commitOf = async (run: Run, root: string): Promise<string> =>
  (await git(run, root, 'rev-parse', 'HEAD')).trim()

export const isDirty = async (run: Run, root: string): Promise<boolean> =>
  (await git(run, root, 'status', '--porcelain')) !== ''

/** Paths from the root that differ from the commit, untracked files included. */
export async function changedPaths(run: Run, root: string, commit: string): Promise<string[]> {
  const lists = await Promise.all([
    git(run, root, 'diff', '--name-only', '-z', commit, '--'),
    git(run, root, 'ls-files', '--others', '--exclude-standard', '-z')
  ])
  return lists.flatMap((list) => list.split('\0')).filter((path) => path !== '')
}
