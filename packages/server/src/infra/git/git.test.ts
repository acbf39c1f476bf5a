import { describeGit } from '../../../test/contracts/git.contract.ts'
import { createMemoryGit, strayCommit } from '../../../test/fakes/memory-git.ts'

// The real git: e2e/git/git.test.ts.
describeGit('in memory', async () => ({
  git: createMemoryGit(),
  remote: { url: 'https://git.example.com/acme/app.git', privateKeyPath: undefined },
  strayCommit,
  unreachable: { url: 'https://git.invalid/acme/app.git', privateKeyPath: undefined },
  close: async () => {}
}))
