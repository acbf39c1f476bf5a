import { execFile } from 'node:child_process'
import { access, mkdir, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'

const execute = promisify(execFile)

/** Path → content; `null` removes the file. */
export type Files = Record<string, FileContent>
type FileContent = string | Buffer | null | { symlinkTo: string } | { executable: string } | { submodule: string }

export interface GitRepositories {
  /** Directory of the bare repositories; `owner/app` is `<root>/owner/app.git`. */
  root: string
  /** Creates a repository with one commit on main; returns its hash. */
  createRepository(name: string, files: Files): Promise<string>
  /** Commits on top of the branch (a new branch has no history); returns the hash. */
  commit(name: string, files: Files, message: string, branch?: string): Promise<string>
  /** A commit on top of main for each of these, by one process; returns their hashes, oldest first. */
  commitAll(name: string, commits: readonly Files[]): Promise<string[]>
  /** Runs git in the bare repository; returns its output without the last newline. */
  git(name: string, ...args: string[]): Promise<string>
  remove(): Promise<void>
}

/** Bare repositories in a temporary directory, filled without a work tree. */
export async function createGitRepositories(): Promise<GitRepositories> {
  const root = await mkdtemp(join(tmpdir(), 'panel-git-'))
  let clock = 1_700_000_000

  const git = async (name: string, ...args: string[]) => {
    const argv = ['-c', 'safe.directory=*', `--git-dir=${join(root, `${name}.git`)}`, ...args]
    const { stdout } = await execute('git', argv, { env: plainEnvironment, maxBuffer: 64 * 1024 * 1024 })
    return stdout.replace(/\n$/, '')
  }

  const commit = async (name: string, files: Files, message: string, branch = 'main') => {
    const ref = `refs/heads/${branch}`
    const hasParent = await git(name, 'rev-parse', '--verify', '--quiet', ref).then(
      () => true,
      () => false
    )
    await importInto(join(root, `${name}.git`), importStream(ref, hasParent, files, message, clock++))
    return git(name, 'rev-parse', '--verify', ref)
  }

  return {
    root,
    git,
    commit,
    async commitAll(name, commits) {
      const ref = 'refs/heads/main'
      const streams = commits.map((files, index) => importStream(ref, index === 0, files, `Commit ${index}`, clock++))
      await importInto(join(root, `${name}.git`), Buffer.concat(streams))
      return (await git(name, 'rev-list', '--reverse', `--max-count=${commits.length}`, ref)).split('\n')
    },
    createRepository: async (name, files) => {
      const directory = join(root, `${name}.git`)
      await access(directory).then(
        () => Promise.reject(new Error(`There is a repository ${name} already`)),
        () => mkdir(directory, { recursive: true })
      )
      await git(name, 'init', '--bare', '--quiet', '--initial-branch=main')
      return commit(name, files, 'First commit')
    },
    remove: () => rm(root, { recursive: true, force: true })
  }
}

const plainEnvironment = {
  PATH: process.env.PATH,
  HOME: '/nonexistent',
  GIT_CONFIG_NOSYSTEM: '1',
  GIT_CONFIG_GLOBAL: '/dev/null'
}

/** git-fast-import(1), "INPUT FORMAT". */
function importStream(ref: string, hasParent: boolean, files: Files, message: string, time: number): Buffer {
  const parts: (string | Buffer)[] = [
    `commit ${ref}\n`,
    `committer Test <test@example.com> ${time} +0000\n`,
    ...data(message)
  ]
  if (hasParent) parts.push(`from ${ref}^0\n`)
  for (const [path, content] of Object.entries(files)) parts.push(...change(JSON.stringify(path), content))
  return Buffer.concat(parts.map((part) => Buffer.from(part)))
}

function change(path: string, content: FileContent): (string | Buffer)[] {
  if (content === null) return [`D ${path}\n`]
  if (typeof content === 'string' || Buffer.isBuffer(content)) return [`M 100644 inline ${path}\n`, ...data(content)]
  if ('symlinkTo' in content) return [`M 120000 inline ${path}\n`, ...data(content.symlinkTo)]
  if ('executable' in content) return [`M 100755 inline ${path}\n`, ...data(content.executable)]
  return [`M 160000 ${content.submodule} ${path}\n`]
}

function data(content: string | Buffer): (string | Buffer)[] {
  return [`data ${Buffer.byteLength(content)}\n`, content, '\n']
}

async function importInto(directory: string, stream: Buffer): Promise<void> {
  const running = execute('git', [`--git-dir=${directory}`, 'fast-import', '--quiet', '--force'], {
    env: plainEnvironment
  })
  running.child.stdin?.end(stream)
  await running
}
