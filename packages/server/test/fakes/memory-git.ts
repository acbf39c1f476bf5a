import { mkdir, rm, writeFile } from 'node:fs/promises'
import { dirname } from 'node:path'
import { Readable } from 'node:stream'
import { pack } from 'tar-stream'
import { AdapterError } from '../../src/infra/adapter-error.ts'
import type { Git, GitOptions, GitRemote } from '../../src/infra/git/git.ts'
import { filesOfArchive } from '../../src/infra/git/uploaded-archive.ts'

const head = { hash: 'a'.repeat(40), message: 'first commit' }
const file = { path: 'index.html', content: 'hello' }

/** A commit that is on no branch (fork or deleted branch). */
export const strayCommit = 'f'.repeat(40)

/** Has every branch, every commit except `strayCommit`, and one file; hosts below `.invalid` are unreachable. */
export function createMemoryGit(): Git {
  const reach = ({ url }: GitRemote, { signal }: GitOptions) => {
    signal?.throwIfAborted()
    if (new URL(url).hostname.endsWith('.invalid'))
      throw new AdapterError('repository-unavailable', [{ code: 'GIT_NOT_REACHED' }])
  }
  const fetched = new Set<string>()
  return {
    findHead: async (directory) => (fetched.has(directory) ? head.hash : undefined),
    async fetchBranch(directory, remote, _branch, options) {
      reach(remote, options)
      fetched.add(directory)
      return head
    },
    async fetchCommit(_directory, remote, branch, wanted, options) {
      reach(remote, options)
      if (wanted === strayCommit)
        throw new AdapterError('repository-unavailable', [
          { code: 'GIT_NOT_ON_BRANCH', values: { commit: wanted, branch } }
        ])
      return wanted === head.hash ? head : { hash: wanted, message: 'that commit' }
    },
    async listBranches(_directory, remote, options) {
      reach(remote, options)
      if (remote.url.includes('/private/')) throw new AdapterError('repository-private', [{ code: 'GIT_PRIVATE' }])
      return { names: ['main'], head: 'main' }
    },
    async listCommits(_directory, remote, { from, to }, options) {
      reach(remote, options)
      const commits = from === to ? [] : [{ hash: to, subject: 'that commit', author: 'Ann', at: new Date(0) }]
      return { commits, isComplete: true }
    },
    async createDeployKey(privateKeyPath) {
      await mkdir(dirname(privateKeyPath), { recursive: true, mode: 0o700 })
      await writeFile(privateKeyPath, 'no PRIVATE KEY at all\n', { mode: 0o600 })
      return 'ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAIE fake'
    },
    async remove(path) {
      for (const directory of fetched) if (`${directory}/`.startsWith(`${path}/`)) fetched.delete(directory)
      await rm(path, { recursive: true, force: true })
    },
    listFiles: async () => [{ path: file.path, kind: 'file', sizeBytes: file.content.length }],
    readFile: async (_directory, _hash, path, maxBytes) =>
      path === file.path && file.content.length <= maxBytes ? file.content : undefined,
    archive() {
      const tar = pack()
      tar.entry({ name: file.path }, file.content)
      tar.finalize()
      return Readable.from(tar)
    },
    async importArchive(directory, archive, limits) {
      const imported = { hash: 'b'.repeat(40), files: 0, bytes: 0 }
      for await (const { content } of filesOfArchive(archive, limits)) {
        for await (const piece of content) imported.bytes += piece.length
        imported.files += 1
      }
      await mkdir(directory, { recursive: true })
      return imported
    }
  }
}
