import { Readable } from 'node:stream'
import type { Git } from '../../src/infra/git/git.ts'

/** A repository that has every branch and commit one asks for, and one file. The real git is met in e2e/. */
export function createMemoryGit(): Git {
  const hash = 'a'.repeat(40)
  return {
    fetchBranch: async () => ({ hash, message: 'first commit' }),
    fetchCommit: async (_directory, _remote, _branch, wanted) => ({ hash: wanted, message: 'that commit' }),
    createDeployKey: async () => 'ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAIE fake',
    listFiles: async () => [{ path: 'index.html', kind: 'file', sizeBytes: 5 }],
    readFile: async (_directory, _hash, path) => (path === 'index.html' ? 'hello' : undefined),
    archive: () => Readable.from([])
  }
}
